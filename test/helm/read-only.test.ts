// Tests that a helm program renders charts where only the folder for temporary files can be written to, as in a Pod
// with a read-only root file system.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from '../dev-run.js'
import { chartFolder, missingPrograms, programs } from './charts.js'

t.setTimeout(600_000)

const run = promisify(execFile)

/** Makes every file system read-only but one in memory at $1, and runs the rest in it. */
const readOnly = `set -e
mount --make-rprivate /
awk '{print $5}' /proc/self/mountinfo | sort -r | while read -r at; do
  case $at in /proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$at" 2>/dev/null || true ;; esac
done
mount -t tmpfs tmpfs "$1"
shift
exec "$@"`
const unshare = ['-rm', 'sh', '-c', readOnly, 'sh']

/** Why no such file system can be made here; false if it can. */
async function missingNamespaces(): Promise<string | false> {
  const folder = t.testdirName
  mkdirSync(folder, { recursive: true })
  const probe = `touch "$0/a" && ! touch "$1/b" 2>/dev/null`
  const args = [...unshare, folder, 'sh', '-c', probe, folder, root]
  return run('unshare', args).then(
    () => false,
    (error: Error) => `unshare cannot make a read-only file system here: ${error.message.split('\n')[0]}`,
  )
}

const program = `import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { helmRenderer, loadChart } from 'vcluster-plugin-sdk/helm'
process.env.TMPDIR = process.argv[4]
const refused = [process.cwd(), process.env.HOME].map((at) => {
  try { writeFileSync(at + '/probe', '') } catch ({ code }) { return code }
})
const made = () => readdirSync(tmpdir()).filter((name) => !/^(tsx|node-compile)/.test(name))
const renderer = await helmRenderer({ bin: process.argv[3] })
const { objects } = await renderer.render(
  {
    chart: await loadChart(process.argv[2]),
    values: {},
    release: { name: 'demo', namespace: 'ns', revision: 1, isInstall: true },
    capabilities: { kubeVersion: 'v1.36.3', apiVersions: [] },
  },
  AbortSignal.timeout(60_000),
)
const during = made()
await renderer.close()
console.log(JSON.stringify({ refused, objects: objects.length, during, after: made() }))
`

const skip = missingPrograms || (await missingNamespaces())

void t.test(
  'helm renders where only the folder for temporary files can be written to',
  { skip },
  async (t) => {
    const folder = t.testdir({ tmp: {} })
    const inClone = join(root, '.tap/helm-read-only')
    mkdirSync(inClone, { recursive: true })
    const main = join(inClone, 'main.ts')
    writeFileSync(main, program)
    const tmp = join(folder, 'tmp')
    const node = [
      process.execPath,
      '--conditions=vcluster-plugin-sdk:source',
      '--import=tsx',
      main,
      chartFolder('hooked'),
    ]
    const render = async (bin: string, folderForFiles: string) => {
      const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmp }
      const { stdout } = await run('unshare', [...unshare, tmp, ...node, bin, folderForFiles], {
        cwd: root,
        env,
      })
      return JSON.parse(stdout) as { refused: string[]; objects: number; during: string[]; after: string[] }
    }
    for (const bin of programs) {
      const { refused, objects, during, after } = await render(bin, tmp)
      t.strictSame(refused, ['EROFS', 'EROFS'], 'nothing else can be written to')
      t.ok(objects > 0)
      t.match(during, [/^helm-/])
      t.strictSame(after, [], 'nothing is left')
    }
    const [bin = ''] = programs
    await t.rejects(
      render(bin, folder),
      /NO_RENDERER.*no folder can be made in .*EROFS.*vcluster-plugin manifest.*TMPDIR/s,
    )
  },
)
