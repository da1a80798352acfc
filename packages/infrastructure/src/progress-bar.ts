const WIDTH = 20;

/** A bar such as `██████░░░░ 60 %`. */
export function progressBar(percent: number): string {
  const shown = Math.min(100, Math.max(0, Math.floor(percent) || 0));
  const filled = Math.floor((shown / 100) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${String(shown).padStart(3)} %`;
}
