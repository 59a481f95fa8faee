/** A usage error of yargs in plain words. */
export function usageMessage(text: string): string {
  const [, flag, value, choices = ''] =
    /^Invalid values:\s+Argument: (\S+), Given: ("[^"]*"), Choices: ([^\n]*)$/.exec(text.trim()) ?? []
  if (flag !== undefined) return `--${flag} cannot be ${value}; use ${listOf(choices)}`
  return (
    text
      // After a wrong command all other words are unknown, too.
      .replace(/^Unknown commands: ([^\s,]+), .*$/, 'Unknown command: $1')
      .replace(/^Not enough non-option arguments: .*/, 'An argument is missing')
      .replace(
        /^Not enough arguments following: (\S+)$/,
        (_, name: string) => `${flagOf(name)} needs a value`,
      )
  )
}

const flagOf = (name: string) => (name.length === 1 ? `-${name}` : `--${name}`)

/** `"a", "b", "c"` as `a, b or c`. */
function listOf(choices: string): string {
  const names = [...choices.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names.join('')
}
