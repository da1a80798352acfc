/** Object identifiers of PKCS #7 in DER (RFC 5652). */
const SIGNED_DATA = '2a864886f70d010702';
const PLAIN_DATA = '2a864886f70d010701';
const OBJECT_IDENTIFIER = 0x06;
const OCTET_STRING = 0x04;
const CONSTRUCTED = 0x20;

/**
 * The content of a message that is signed in one piece (RFC 8551, section 3.5). The signature is not checked.
 *
 * @returns null when the content is not signed data, so encrypted; no bytes when it is not in the file
 */
export function signedContent(file: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  let type = '';
  let isData = false;
  for (const { tag, value } of berValues(file)) {
    if (isData && tag !== OCTET_STRING) break;
    if (isData) pieces.push(value);
    if (tag !== OBJECT_IDENTIFIER) continue;
    const identifier = value.toString('hex');
    type ||= identifier;
    isData = identifier === PLAIN_DATA;
  }
  return type === SIGNED_DATA ? Buffer.concat(pieces) : null;
}

/** The values of ASN.1 in BER that are not constructed of others, in the order of the file (X.690, section 8.1). */
function* berValues(file: Buffer): Generator<{ readonly tag: number; readonly value: Buffer }> {
  for (let at = 0; at + 1 < file.length;) {
    const tag = file.readUInt8(at);
    const first = file.readUInt8(at + 1);
    at += 2;
    // A long length has the number of its bytes first. None for an end that a value of two zeros marks.
    const lengthBytes = first > 0x80 ? Math.min(first & 0x7f, 6, file.length - at) : 0;
    const length = lengthBytes > 0 ? file.readUIntBE(at, lengthBytes) : first & 0x7f;
    at += lengthBytes;
    if ((tag & CONSTRUCTED) !== 0) continue;
    yield { tag, value: file.subarray(at, at + length) };
    at += length;
  }
}
