/**
 * Whether Redis has refused to write, because the server is a replica. An error begins with its code; Redis before 7 says
 * first in which script the command was.
 */
export function isReadOnly({ message }: Error): boolean {
  return /^(?:ERR .* -)?READONLY /.test(message);
}
