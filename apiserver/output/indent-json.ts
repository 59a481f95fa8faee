const tokens = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g

/** Indents a JSON text like `encoding/json` of Go; values keep their text. */
export function indentJson(text: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(tokens, (token) => {
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
