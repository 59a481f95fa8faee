// Prints the outputs of several calls of the command as one JSON array, for calls that only print: the modules of the
// command are loaded once.  node --import=./scripts/load-typescript.mjs scripts/print-help.mjs '[["dev", "--help"]]'
const { log } = console
const texts = []
// The command ends its process after each call.
process.exit = () => {}
for (const [at, args] of JSON.parse(process.argv[2]).entries()) {
  const lines = []
  console.log = (text) => lines.push(text)
  process.argv = [process.execPath, 'vcluster-plugin', ...args]
  await import(`../cli/main.ts?${at}`)
  texts.push(lines.join('\n'))
}
log(JSON.stringify(texts))
