/**
 * The maximum total of characters before each warning is shortened; `warning.go` of k8s.io/apiserver v0.36.3.
 */
const maxTotalCharacters = 4 * 1024
/** The maximum number of characters of a shortened warning. */
const maxCutCharacters = 256

/**
 * The `Warning` header of a response, in the format of RFC 7234 (section 5.5), or undefined without a warning. As in a
 * kube-apiserver, equal warnings are reported once, and a warning with a control character is left out. The value is a
 * binary string: each character is one byte of UTF-8, which is how Node writes and reads headers.
 */
export function warningHeader(warnings: readonly string[]): string | undefined {
  const texts = [...new Set(warnings)].filter((text) => text !== '')
  const fits =
    texts.reduce((sum, text) => sum + (isSendable(text) ? lengthOf(text) : 0), 0) <= maxTotalCharacters
  const sent = (fits ? texts : cutToFit(texts)).filter(isSendable)
  if (sent.length === 0) return undefined
  return Buffer.from(sent.map((text) => `299 - ${quoteWarning(text)}`).join(', '), 'utf8').toString('latin1')
}

/** Cuts each warning, and ends the list with the one that reaches the limit. */
function cutToFit(texts: readonly string[]): string[] {
  const cut: string[] = []
  let total = 0
  for (const text of texts) {
    if (total >= maxTotalCharacters) break
    const short = [...text].slice(0, maxCutCharacters).join('')
    cut.push(short)
    if (isSendable(short)) total += lengthOf(short)
  }
  return cut
}

/** The number of code points, which Go calls runes. */
const lengthOf = (text: string) => [...text].length

/** Whether a warning has no control character, which would end the header or the connection. */
const isSendable = (text: string) => !/\p{Cc}/u.test(text)

function quoteWarning(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
