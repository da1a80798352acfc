const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/**
 * Parameters that record where a visitor came from, in lower case. Source: the documentation of the services
 * that add them. One line each for search engines, social networks, newsletters, and analytics.
 */
const TRACKING = words(`
  gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac
  fbclid msclkid yclid ysclid twclid ttclid rdt_cid igsh igshid li_fat_id epik irclickid rb_clickid s_kwcid wickedid
  mc_cid mc_eid mkt_tok oly_anon_id oly_enc_id vero_id vero_conv ml_subscriber ml_subscriber_hash _ke _kx
  _hsenc _hsmi __hssc __hstc __hsfp hsctatracking _openstat`);
const TRACKING_PREFIX = /^(utm_|mtm_|matomo_|pk_|piwik_|hsa_)/;

/** Parameters that carry a session, whatever their value. */
const SESSION = words(`
  phpsessid jsessionid asp.net_sessionid sessionid session_id sessid oscsid zenid cfid cftoken xtc_sessionid
  fe_typo_user`);
const SESSION_PREFIX = /^aspsessionid/;

/** Ambiguous names: `sid=17` identifies a story, `sid=9f86d081884c7d65` a session. */
const AMBIGUOUS_SESSION = words('sid s_id session');
const TOKEN = /^(?=[^&]*\d)[\w-]{16,}$/;

/**
 * A session in the path, as Java servers (`/shop;jsessionid=0AF3/cart`) and ASP.NET (`/(S(lit3py55))/cart`) write it, or as
 * a segment with a name. A value has no parenthesis, written `(` or `%28`: with two ways to match, the time is exponential.
 */
const SESSION_IN_PATH =
  /;(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*|(?<=^|\/)(?:\(|%28)(?:[AFSX](?:\(|%28)(?:[^()/%]|%(?!2[89]))*(?:\)|%29))+(?:\)|%29)(?:\/|$)|(?<=\/)(?:jsessionid|phpsessid|sessionid)[=/][\w-]{16,}(?:\/|$)/gi;

/** Whether a query parameter identifies the visit and not the page. */
export function isVisitParameter(name: string, value: string): boolean {
  const key = name.toLowerCase();
  if (TRACKING.has(key) || TRACKING_PREFIX.test(key)) return true;
  if (SESSION.has(key) || SESSION_PREFIX.test(key)) return true;
  return AMBIGUOUS_SESSION.has(key) && TOKEN.test(value);
}

/** Removes the session from a path. */
export function withoutPathSession(path: string): string {
  return path.replace(SESSION_IN_PATH, '');
}
