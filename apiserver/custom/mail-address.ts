import { isIP } from 'node:net'

// biome-ignore lint/suspicious/noControlCharactersInRegex: no atom has them
const atom = /[^\x00-\x20\x7f()<>[\]:;@\\,".]/.source
// biome-ignore lint/suspicious/noControlCharactersInRegex: no quoted text has them
const quoted = /"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])+"/.source
const dotted = `${atom}+(?:\\.${atom}+)*`
const literal = /\[([\da-f.:]+)\]/.source
const address = `[ \\t]*(?:${dotted}|${quoted})@[ \\t]*(?:${dotted}|${literal})`
const comment = /[ \t]*(?:\([^()]*\)[ \t]*)?/.source
const phrase = `(?:${atom}|[. \\t]|${quoted})*`
const mailbox = new RegExp(`^(?:${address}|${phrase}<${address}>)${comment}$`, 'iu')

/** Whether Go's `mail.ParseAddress` accepts a text: an address, perhaps with a name. Groups are not read. */
export function isMailAddress(text: string): boolean {
  const match = mailbox.exec(text)
  return match?.slice(1).every((address) => address === undefined || isIP(address) !== 0) ?? false
}
