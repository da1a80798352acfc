/** Options that the connector relies on: pinned host keys of SFTP, proxies for each protocol. Older versions ignore them. */
const MIN_VERSION = [1, 75] as const;
const INSTALL =
  'Install the current one (https://rclone.org/install/), or name it with the setting RCLONE_PATH.';

/**
 * Why a program cannot connect storages, with what to do.
 *
 * @param version such as `1.75.2`; null if it could not be started
 */
export function rcloneProblem(path: string, version: string | null, reason = 'not found'): string | null {
  if (version === null)
    return `The server could not start rclone (${path}: ${reason}), which connects storages. ${INSTALL}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return null;
  return `The server has rclone ${version}. Storages need rclone ${MIN_VERSION.join('.')} or later. ${INSTALL}`;
}
