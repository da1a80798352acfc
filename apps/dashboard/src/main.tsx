import './mantine-styles.js';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSessionEnd } from './client.js';
import { MessagesProvider } from './messages/messages.js';
import { router } from './router.js';
import { SessionGate } from './identity/sign-in/session-gate.js';
import { sessionQuery } from './identity/sign-in/session.js';
import { theme, variables } from './theme.js';
import { UploadsProvider } from './content/uploads/uploads.js';
import { BASE_PATH } from './address.js';

const queryClient = new QueryClient({
  // The client of the SDK has retried already.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
});
onSessionEnd(() => queryClient.setQueryData(sessionQuery.queryKey, null));

// The code of the page is loaded while the server is asked who is signed in.
void router.preloadRoute({ to: router.latestLocation.pathname });

const root = document.getElementById('root');
// Opened without the proxy that people use: its addresses begin with the base path.
if (!`${location.pathname}/`.startsWith(`${BASE_PATH}/`))
  location.replace(BASE_PATH + location.pathname + location.search + location.hash);
else if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <MessagesProvider>
            <SessionGate>
              <UploadsProvider>
                <RouterProvider router={router} />
              </UploadsProvider>
            </SessionGate>
          </MessagesProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
