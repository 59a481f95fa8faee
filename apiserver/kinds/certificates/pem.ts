/** One PEM block. */
export interface PemBlock {
  readonly label: string
  /** Whether the block has headers before its content. */
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

// Each line matches in one way, and the headers end before the next block: the time is linear.
const pemBlock =
  /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n((?:(?!-----)[^\n:]*:[^\n]*\n)*)([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t\r]*$/gm

/** The PEM blocks in a text; anything else in it is ignored. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(pemBlock)].map(([, label = '', headers = '', content = '']) => ({
    label,
    hasHeaders: headers !== '',
    bytes: Buffer.from(content, 'base64'),
  }))
}
