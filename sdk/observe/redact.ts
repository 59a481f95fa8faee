import { escaped } from './log-text.js'

/** The least length of a secret text. A shorter one would make messages unreadable, and says nothing. */
const shortest = 4
const mask = '[secret]'

/**
 * A message without secret texts, also as JSON or log lines escape them. Programs cut long messages, so the beginning of a secret
 * text at the end of a message is left out too.
 */
export function redact(message: string, secretTexts: readonly string[]): string {
  const forms = new Set(secretTexts.filter((text) => text.length >= shortest).flatMap(formsOf))
  // Long texts go first, because they may contain short ones.
  const texts = [...forms].sort((one, other) => other.length - one.length)
  return withoutBegin(
    texts.reduce((left, text) => left.replaceAll(text, mask), message),
    texts,
  )
}

const formsOf = (text: string) => [text, escaped(text), JSON.stringify(text).slice(1, -1)]

function withoutBegin(message: string, texts: readonly string[]): string {
  const lengths = texts.map((text) => lengthOfBegin(message, text))
  const longest = Math.max(0, ...lengths)
  return longest === 0 ? message : `${message.slice(0, -longest)}${mask}`
}

/** The length of the longest beginning of a text that a message ends with. */
function lengthOfBegin(message: string, text: string): number {
  for (let length = Math.min(message.length, text.length); length >= shortest; length--)
    if (message.endsWith(text.slice(0, length))) return length
  return 0
}
