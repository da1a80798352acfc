const LOOPBACK = /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a host is this machine by its name, or by its address as `URL` writes it, without a look-up. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
