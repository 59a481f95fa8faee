// Records `vcluster-plugin dev` with the example of the README, and writes docs/images/dev.svg:  npm run recording
//
// It starts dev, creates and changes an object, saves a mistake and mends it. The lines are those that dev printed, at
// the times when it printed them; only silences are shortened.
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { animatedSvg, type RecordedLine } from './animated-svg.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const image = join(root, 'docs/images/dev.svg')
const key = { namespace: 'default', name: 'hello' }

const lines: RecordedLine[] = []
const startedMs = performance.now()
let onLine = () => {}

function record(text: string): void {
  lines.push({ atMs: performance.now() - startedMs, text })
  onLine()
}

/** Resolves when a line after those that were read matches. */
let read = 0
async function until(pattern: RegExp): Promise<void> {
  for (;;) {
    const index = lines.findIndex(({ text }, at) => at >= read && pattern.test(text))
    if (index >= 0) {
      read = index + 1
      return
    }
    await new Promise<void>((resolve) => {
      onLine = resolve
    })
  }
}

/** A line that the user typed, a moment after the last output. */
async function typed(text: string): Promise<void> {
  await delay(1200)
  record('')
  record(text)
  await delay(600)
}

const folder = await mkdtemp(join(tmpdir(), 'recording-'))
await cp(join(root, 'examples/sync-all-configmaps'), join(folder, 'my-plugin'), { recursive: true })
await writeFile(
  join(folder, 'my-plugin/package.json'),
  '{"type":"module","vcluster-plugin":{"main":"main.ts"}}',
)
await mkdir(join(folder, 'node_modules'))
await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))
record('$ npx vcluster-plugin dev my-plugin')
const dev = spawn(process.execPath, [join(root, 'bin/vcluster-plugin.js'), 'dev', 'my-plugin'], {
  cwd: folder,
  // Without the certificate authorities of each namespace, which say little.
  env: { ...process.env, EXCLUDE_KUBE_ROOT_CA: 'true' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
dev.once('exit', (code) => {
  if (code !== 0) process.exit(1)
})
createInterface({ input: dev.stdout }).on('line', (line) => record(line.replaceAll(`${folder}/`, '')))
await until(/^Ctrl-C stops everything/)
await delay(500)

const kubeconfig = await loadKubeconfig({ file: join(folder, '.vcluster-plugin/virtual.kubeconfig') })
const transport = createTransport({ kubeconfig })
const virtual = createClient({ transport })
await typed('$ kubectl create configmap hello --from-literal=text=hi')
await virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
await until(/default\/hello .*created/)
await typed(`$ kubectl patch configmap hello --patch '{"data":{"text":"hello"}}'`)
await virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'hello' } } })
await until(/default\/hello .*updated/)

const source = join(folder, 'my-plugin/main.ts')
const text = await readFile(source, 'utf8')
await typed('# save main.ts with a mistake')
await writeFile(source, text.replace('register(plugin', 'register(, plugin'))
await until(/waiting for the next save/)
await typed('# mend it')
await writeFile(source, text)
await until(/ready in \d+ ms/)
dev.kill('SIGTERM')
await new Promise((resolve) => dev.once('exit', resolve))
await transport.close()
await rm(folder, { recursive: true, force: true })
const shown = lines.filter(({ text: line }) => !/^dev +stopping/.test(line))
await writeFile(
  image,
  animatedSvg('vcluster-plugin dev copies each object, and reloads the plugin after each save', shown),
)
