// Tests the bundle in the images: it starts in each mode, and reads only the modules that the mode needs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { startPluginProgram, startVClusterProcess } from 'vcluster-plugin-sdk/testing'

/** Node 22 and later. */
const hasCompileCache = 'enableCompileCache' in nodeModule

const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'bin/vcluster-plugin.js')
const folder = t.testdir({
  parts: { main: { 'gone-AAAAAAAA.mjs': '', 'mine.mjs': '' }, 'main.dev': { 'other-AAAAAAAA.mjs': '' } },
})
const outfile = join(folder, 'main.mjs')

await t.test('a bundle replaces an older one with all its parts', async (t) => {
  const made = start({}, [command, 'bundle', 'examples/sync-all-configmaps', outfile])
  const said = /main\.mjs {2}(\d+) KiB at start, (\d+) KiB in total/
  const { stdout, ...rest } = await made.end
  t.same(rest, { code: 0, stderr: '' })
  const [, toStart, inAll] = said.exec(stdout) ?? []
  t.ok(Number(toStart) < Number(inAll) / 2, stdout)
  const parts = readdirSync(join(folder, 'parts'), { recursive: true, encoding: 'utf8' })
  t.notOk(parts.includes('main/gone-AAAAAAAA.mjs'))
  const modules = parts.filter((name) => name.endsWith('.mjs'))
  const hasLocales = modules.filter((name) =>
    /zod\/v4\/locales\/de/.test(readFileSync(join(folder, 'parts', name), 'utf8')),
  )
  t.same(hasLocales, [], 'of zod only what is used')
  t.ok(['main/mine.mjs', 'main.dev/other-AAAAAAAA.mjs'].every((name) => parts.includes(name)))
})

void t.test('a bundle that must render charts is refused without the template engine', async (t) => {
  const located = { 'engine-files.ts': 'export const engineFile = 1', 'engine-thread.ts': '' }
  const main =
    "void import('./helm/render/engine/engine-files.js').then(({ engineFile }) => console.log(engineFile))"
  const dir = t.testdir({ 'main.ts': main, helm: { render: { engine: located } } })
  const args = [command, 'bundle', join(dir, 'main.ts'), join(dir, 'out/main.mjs')]
  t.match(await start({}, args).end, { code: 0, stderr: /no template engine/ })
  t.match(await start({}, [...args, '--require-engine']).end, { code: 1, stderr: /no template engine/ })
})

void t.test(
  'a compile cache is for one user and one Node, and nothing of the program runs for it',
  async (t) => {
    const dir = t.testdir()
    const runs = (module: string) =>
      `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(join(dir, 'ran'))}, '${module} ')\n`
    writeFileSync(join(dir, 'main.ts'), `${runs('main')}await import('./part.js')`)
    writeFileSync(join(dir, 'part.ts'), `${runs('part')}export const part = 1`)
    const file = join(dir, 'out/main.mjs')
    const bundled = (uid: number) => {
      return start({}, [command, 'bundle', join(dir, 'main.ts'), file, '--compile-cache', `${uid}`]).end
    }
    const cache = join(dir, 'out/parts/main/compile-cache')
    const stderr = hasCompileCache ? '' : /no compile cache, because Node v20/
    t.match(await bundled(1234), { code: 0, stderr })
    if (!hasCompileCache) return
    const [folder = ''] = readdirSync(cache)
    t.match(folder, /-1234$/)
    const files = readdirSync(join(cache, folder)).map((name) => join(cache, folder, name))
    t.ok(files.length > 1, 'a file for each module')
    t.ok(files.every((each) => (statSync(each).mode & 0o444) === 0o444))

    t.match(await bundled(process.getuid?.() ?? 0), { code: 0, stderr })
    const reads = { NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const ran = await start(reads, [file]).end
    t.equal(readFileSync(join(dir, 'ran'), 'utf8'), 'main part ', 'this start alone ran it')
    t.match(ran.stderr, /main\.mjs was accepted/)
  },
)

void t.test('without an environment the bundle names the missing variables in one sentence', async (t) => {
  const { code, stderr } = await start({}).end
  t.equal(code, 1)
  t.equal(stderr.trim().split('\n').length, 1, stderr)
  for (const name of ['VIRTUAL_KUBECONFIG', 'HOST_KUBECONFIG', 'VCLUSTER_NAME', 'TARGET_NAMESPACE'])
    t.match(stderr, `${name}`)
})

void t.test('next to a vcluster the bundle registers, and SIGTERM stops it in order', async (t) => {
  const kubeconfig = kubeconfigFor(1)
  const waitsFor = ['sync-all-configmaps']
  const vcluster = await startVClusterProcess({
    virtualKubeconfig: kubeconfig,
    hostKubeconfig: kubeconfig,
    waitsFor,
  })
  t.teardown(() => vcluster.stop())
  const plugin = start({
    VCLUSTER_PLUGIN_NAME: 'sync-all-configmaps',
    VCLUSTER_PLUGIN_ADDRESS: 'localhost:14000',
    VCLUSTER_LISTEN_ADDRESS: vcluster.address,
  })
  t.match(await vcluster.registered('sync-all-configmaps'), { address: '127.0.0.1:14000' })
  plugin.child.kill('SIGTERM')
  t.match(await plugin.end, { code: 0, stderr: '' })
})

void t.test('inside a vcluster the bundle prints the handshake and is healthy', async (t) => {
  const program = await startPluginProgram({ file: outfile, env: { METRICS_ADDRESS: '0' } })
  t.teardown(() => program.kill())
  await t.resolves(program.ping())
})

const talkative = `#!/usr/bin/env node
import './printing.js'
import { plugin } from 'vcluster-plugin-sdk'
console.log('before init')
void Promise.reject(new Error('unheeded'))
setTimeout(() => import('./printing.js'), 1)
await new Promise((resolve) => setTimeout(resolve, 10))
await plugin.init()
await plugin.start()
`

void t.test('inside a vcluster a bundle may print before the handshake and fail before init', async (t) => {
  const dir = t.testdir({ 'main.ts': talkative, 'printing.ts': "console.log('at import')" })
  const file = join(dir, 'out/main.mjs')
  t.match(await start({}, [command, 'bundle', join(dir, 'main.ts'), file]).end, { code: 0, stderr: '' })
  const program = await startPluginProgram({ file, env: { METRICS_ADDRESS: '0' } })
  t.teardown(() => program.kill())
  await t.resolves(program.ping())
  await Promise.all(['at import', 'before init', /unheeded/.source].map((text) => program.line(text)))
})

void t.test('standalone the bundle connects to its clusters, and does not read gRPC', async (t) => {
  const alone = t.testdir()
  cpSync(folder, alone, { recursive: true })
  const parts = readdirSync(join(alone, 'parts/main')).map((name) => join(alone, 'parts/main', name))
  const ofGrpc = parts.filter((file) => readFileSync(file, 'utf8').includes('sdk/engine/grpc/'))
  t.ok(ofGrpc.length > 0, 'it is in a part')
  for (const file of ofGrpc) rmSync(file)

  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const kubeconfig = join(alone, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor((server.address() as AddressInfo).port))
  const plugin = start(
    {
      VIRTUAL_KUBECONFIG: kubeconfig,
      HOST_KUBECONFIG: kubeconfig,
      VCLUSTER_NAME: 'vc',
      TARGET_NAMESPACE: 'vc',
    },
    [join(alone, 'main.mjs')],
  )
  const met = once(server, 'connection').then(() => 'connected')
  t.equal(await Promise.race([met, plugin.end.then(({ stderr }) => stderr)]), 'connected')
})

const program = `
import { createRequire } from 'module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Observable, of } from 'rxjs'
import { map } from 'rxjs/operators'
const require = createRequire(import.meta.url)
const __dirname = dirname(fileURLToPath(import.meta.url))
const doubled$ = of(21).pipe(map((each) => 2 * each))
doubled$.subscribe((answer) => console.log(answer, doubled$ instanceof Observable, __dirname, require('os').EOL))
`

void t.test('a program may use the names that the bundler uses, and all of RxJS', async (t) => {
  const dir = t.testdir({ 'main.ts': program, 'package.json': '{ "type": "module" }' })
  const made = await start({}, [command, 'bundle', dir, join(dir, 'out/main.mjs')]).end
  t.match(made, { code: 0, stderr: '' })
  const { stdout, stderr } = await start({}, [join(dir, 'out/main.mjs')]).end
  t.match(stdout, `42 true ${join(dir, 'out')}`, stderr)
  const bundle = readFileSync(join(dir, 'out/main.mjs'), 'utf8')
  t.notMatch(bundle, 'rxjs/dist/cjs', 'there is only one copy of RxJS')
  t.notMatch(bundle, /^import .*"(node:|module)/m, 'Node’s own modules are not bundled')
})

void t.test('the reason why a plugin cannot be bundled is one sentence', async (t) => {
  const away = awayFromPackages(t)
  writeFileSync(join(away, 'main.ts'), 'import "./nowhere.js"')
  const [missing, broken, misnamed] = await Promise.all([
    start({}, [command, 'bundle', away]).end,
    start({}, [command, 'bundle', t.testdir({ 'main.ts': 'import "./nowhere.js"' }), join(away, 'x.mjs')])
      .end,
    start({}, [command, 'bundle', away, 'dist/main.js']).end,
  ])
  t.match(missing, { code: 1, stderr: /^vcluster-plugin: [^\n]*; run npm install --save-dev esbuild\n$/ })
  t.match(broken, {
    code: 1,
    stderr: /Could not resolve "\.\/nowhere\.js".*cannot bundle [^\n]*; see the errors of esbuild above\n$/s,
  })
  t.match(misnamed, {
    code: 2,
    stderr: /^vcluster-plugin: the outfile must end in \.mjs [^\n]*main\.js[^\n]*\n$/,
  })
})

/** A folder outside this project, from which its node_modules cannot be found. */
function awayFromPackages(t: Test): string {
  const away = mkdtempSync(join(tmpdir(), 'bundle-'))
  t.teardown(() => rmSync(away, { recursive: true }))
  return away
}

/** The kubeconfig of a cluster that is not contacted. */
function kubeconfigFor(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'local',
    clusters: [{ name: 'local', cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: 'local', user: { token: 'none' } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'local' } }],
  })
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Node with these arguments, by default with the bundle. */
function start(env: Record<string, string>, args = [outfile]) {
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const end = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }))
  return { child, end }
}
