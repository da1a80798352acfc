import { AppShell, Box, Burger, Group, NavLink, Stack, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Icon, Logo } from '../components/icon.js';
import { useTranslator } from '../messages/messages.js';
import { WindowDrop } from '../content/uploads/window-drop.js';
import { AccountMenu } from './account-menu.js';
import { ENTRIES } from './entries.js';

/** Loaded when they are first opened. */
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.js')).CommandPalette,
}));
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.js')).KeyHelp }));

/** The frame of all pages: the rail with its four entries, and the page beside it. */
export function Shell(): ReactNode {
  const { text } = useTranslator();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  /** What covers the page. Each is rendered from its first opening on, so that it closes smoothly. */
  const [cover, setCover] = useState<'palette' | 'keys' | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const openCover = (name: 'palette' | 'keys'): void => {
    setOpened((names) => new Set([...names, name]));
    setCover(name);
  };
  const closeCover = (): void => setCover(null);
  const openPalette = (): void => openCover('palette');
  const openKeys = (): void => openCover('keys');
  // Also in a field, such as that of a question.
  useHotkeys([['mod+K', openPalette]], [], true);
  useHotkeys([
    ['/', openPalette],
    // Some keyboards have this key above a digit.
    ['shift+/', openPalette],
    ['shift+?', openKeys],
    ['?', openKeys],
  ]);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <VisuallyHidden component="a" {...{ href: '#content' }}>
        {text('app.skip')}
      </VisuallyHidden>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={text('app.menu')} />
          <Logo />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Stack h="100%" gap="lg" justify="space-between">
          <Stack gap="lg">
            <Group justify="space-between" px={8} pt={6}>
              <Logo />
              <Burger
                hiddenFrom="sm"
                opened={isOpen}
                onClick={toggle}
                size="sm"
                aria-label={text('app.menu')}
              />
            </Group>
            <Box component="nav" aria-label={text('app.menu')}>
              {ENTRIES.map(({ to, label, icon }) => (
                <NavLink
                  key={to}
                  component={Link}
                  to={to}
                  label={text(label)}
                  leftSection={<Icon name={icon} />}
                  active={isWithin(path, to)}
                  aria-current={isWithin(path, to) ? 'page' : undefined}
                  onClick={close}
                  style={{ borderRadius: 'var(--mantine-radius-md)' }}
                  mb={2}
                />
              ))}
            </Box>
          </Stack>
          <AccountMenu onKeys={openKeys} />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
      <WindowDrop />
      <Suspense>
        {opened.has('palette') && <CommandPalette isOpen={cover === 'palette'} onClose={closeCover} />}
        {opened.has('keys') && <KeyHelp isOpen={cover === 'keys'} onClose={closeCover} />}
      </Suspense>
    </AppShell>
  );
}

/** Some pages belong to an entry though their addresses begin differently, such as documents to the library. */
function isWithin(path: string, entry: string): boolean {
  return (
    path.startsWith(entry) ||
    (entry === '/library' && path.startsWith('/documents')) ||
    (entry === '/agents' && /^\/(?:conversations|evaluations|missing)/.test(path)) ||
    (entry === '/ask' && path === '/welcome')
  );
}
