const TOKENS = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g

/** A JSON text over several lines, as `encoding/json` of Go indents it; values stay as they are written. */
export function indented(text: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(TOKENS, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth += 1
        return token + line()
      case '}':
      case ']':
        depth -= 1
        return line() + token
      case ',':
        return token + line()
      case ':':
        return ': '
      default:
        return token
    }
  })
}
