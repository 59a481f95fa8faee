// Runs the test files of TEST_FILES, a list with commas, one after the other in this process:
//   TEST_FILES=a.test.ts,b.test.ts node scripts/test-group.mjs
// Most of the time of a short file is the start of a process and the loading of what it tests, which its neighbours
// load too. Each file is a subtest with its path as the name, which an import of "tap" gives it as the test of its
// process. Comments `# processorMs=MS FILE` have the processor times. Needs Node 22.15 or later, for the hooks of
// imports.
import module from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import root from 'tap'
import { childrenTimeMs } from './children-time.mjs'

const files = process.env.TEST_FILES.split(',')
delete process.env.TEST_FILES

/** The subtest of the file that is loaded. */
let current = root
/** The default export of "tap" for all files: members of the subtest of the file that is loaded. */
globalThis.testOfFile = new Proxy(root, {
  get(_root, name) {
    const member = current[name]
    return typeof member === 'function' ? member.bind(current) : member
  },
})
const tapOfFile = 'data:text/javascript,export default globalThis.testOfFile'
module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'tap' ? { url: tapOfFile, format: 'module', shortCircuit: true } : next(specifier, context),
})

/** The processor time of this process and of its children, in milliseconds. */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (childrenTimeMs() ?? 0)
}

for (const file of files) {
  void root.test(file, async (test) => {
    const before = processorMs()
    const environment = { ...process.env }
    test.teardown(() => {
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
      Object.assign(process.env, environment)
      root.comment(`processorMs=${Math.round(processorMs() - before)} ${file}`)
    })
    current = test
    process.argv[1] = resolve(file)
    await import(pathToFileURL(file).href)
  })
}
