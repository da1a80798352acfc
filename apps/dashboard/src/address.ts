const { url } = import.meta;

/** The path below which the server has this dashboard, without a slash at its end: `BASE_PATH`. Scripts are in a folder of it. */
export const BASE_PATH = new URL('..', url).pathname.slice(0, -1);

/** The address that people open, without a slash at its end. */
export const SERVER = location.origin + BASE_PATH;
