/** The text of a program that tries each way out of its process that is known, and notes what each brought. */
export const hostileProgram = `
import { createRequire } from 'node:module'
const opened = async (name) => {
  try { return await import('node:' + name) } catch { return {} }
}
const fetched = async (port) => await (await fetch('http://127.0.0.1:' + port + '/json/list')).text()
const debuggerSays = async () => {
  for (let attempt = 0; attempt < 10; attempt++)
    try {
      const [{ webSocketDebuggerUrl }] = JSON.parse(await fetched(9229))
      const socket = new WebSocket(webSocketDebuggerUrl)
      await new Promise((resolve) => socket.addEventListener('open', resolve))
      const expression = "process.env.PLANTED + require('node:fs').readFileSync(process.env.PLANTED_FILE)"
      const answer = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)))
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, includeCommandLineAPI: true } }))
      return await answer
    } catch { await new Promise((resolve) => setTimeout(resolve, 100)) }
  throw new Error('no debugger')
}

async function tryAll(metaData, { pid, folder }) {
  const attempt = async (name, action) => {
    try { metaData.set(name, 'opened: ' + String(await action()).slice(0, 2000)) }
    catch (error) { metaData.set(name, 'closed: ' + (error?.code ?? error?.message)) }
  }
  const [fs, child, threads, net, os, trace, v8, wasi, inspector, vm, dgram, repl, dns, cluster] = await Promise.all(
    ['fs', 'child_process', 'worker_threads', 'net', 'os', 'trace_events', 'v8', 'wasi', 'inspector', 'vm', 'dgram', 'repl', 'dns', 'cluster'].map(opened))
  const secret = folder + '/secret'
  const pids = [pid, process.ppid]
  for (const one of pids) {
    await attempt('debugger by signal ' + pids.indexOf(one), async () => { process._debugProcess(one); return await debuggerSays() })
    await attempt('signal ' + pids.indexOf(one), () => process.kill(one, 'SIGUSR2'))
    await attempt('inner signal ' + pids.indexOf(one), () => { if (process._kill(one, 12) !== 0) throw new Error('refused') })
    await attempt('priority ' + pids.indexOf(one), () => os.setPriority(one, 7))
    for (const file of ['environ', 'mem', 'maps', 'cmdline', 'root' + secret, 'cwd/secret'])
      await attempt('proc ' + file + ' ' + pids.indexOf(one), () => fs.readFileSync('/proc/' + one + '/' + file))
    await attempt('proc fd ' + pids.indexOf(one), () => fs.readdirSync('/proc/' + one + '/fd').map((fd) => fs.readlinkSync('/proc/' + one + '/fd/' + fd)))
  }
  await attempt('signal of an empty handle', () => { if (new child.ChildProcess()._handle.kill(12) !== 0) throw new Error('refused') })
  await attempt('signal to the group', () => process.kill(0, 'SIGUSR2'))
  await attempt('priority of the user', () => os.setPriority(0, 7) ?? os.getPriority(pid))
  await attempt('environment', () => { if (Object.keys(process.env).length === 0) throw new Error('empty'); return JSON.stringify(process.env) })
  await attempt('report', () => { const text = JSON.stringify(process.report.getReport()); if (!text.includes('planted')) throw new Error('nothing planted'); return text })
  await attempt('environment file', () => { process.loadEnvFile(secret); return JSON.stringify(process.env) })
  await attempt('secret file', () => fs.readFileSync(secret))
  await attempt('secret by blob', async () => (await fs.openAsBlob(secret)).text())
  await attempt('secret by require', () => createRequire(import.meta.url)(secret + '.json'))
  await attempt('secret by import', async () => JSON.stringify(await import('file://' + secret + '.mjs')))
  await attempt('secret by link', () => { fs.symlinkSync(secret, 'link'); return fs.readFileSync('link') })
  await attempt('secret by relative path', () => fs.readFileSync(new URL('../secret', import.meta.url)))
  await attempt('secret by path with dots', () => fs.readFileSync(new URL(import.meta.url).pathname + '/../../../secret'))
  await attempt('secret by buffer', () => fs.readFileSync(Buffer.from(secret)))
  await attempt('inherited descriptors', () => {
    const found = []
    for (let fd = 0; fd < 64; fd++) try { const text = Buffer.alloc(64); if (fs.readSync(fd, text, 0, 64, 0) > 0 && text.includes('planted')) found.push(fd + String(text)) } catch {}
    if (found.length === 0) throw new Error('none')
    return found
  })
  await attempt('shared folder', () => fs.writeFileSync(folder + '/shared/written', 'x'))
  await attempt('temporary folder', () => fs.writeFileSync(os.tmpdir() + '/written-by-' + pid, 'x'))
  await attempt('own folder', () => fs.writeFileSync('written', 'x'))
  await attempt('trace events', () => { const one = trace.createTracing({ categories: ['node.perf', 'v8'] }); one.enable(); performance.mark('x'); one.disable() })
  await attempt('heap snapshot', () => v8.writeHeapSnapshot(folder + '/shared/heap'))
  await attempt('report file', () => process.report.writeReport(folder + '/shared/report'))
  await attempt('flags of V8', () => v8.setFlagsFromString('--logfile=' + folder + '/shared/log'))
  await attempt('folder', () => process.chdir(folder))
  await attempt('user', () => process.setuid(0))
  await attempt('group', () => process.setgroups([0]))
  await attempt('worker', () => new threads.Worker('1', { eval: true }))
  await attempt('worker without permissions', () => new threads.Worker('1', { eval: true, execArgv: [] }))
  await attempt('process', () => child.execFileSync('/bin/cat', [secret]))
  await attempt('fork', () => child.fork(import.meta.url))
  await attempt('cluster', () => cluster.fork())
  await attempt('replaced process', () => (process.execve ?? child.execFileSync)('/bin/cat', ['cat', secret]))
  await attempt('addon', () => process.dlopen({ exports: {} }, secret))
  await attempt('binding', () => process.binding('fs'))
  await attempt('linked binding', () => process._linkedBinding('fs'))
  await attempt('WASI', () => new wasi.WASI({ version: 'preview1', preopens: { '/': '/' } }))
  await attempt('own inspector', () => inspector.open(0))
  await attempt('inspector session', () => { const session = new inspector.Session(); session.connectToMainThread(); return session })
  await attempt('database', async () => new (await import('node:sqlite')).DatabaseSync(folder + '/shared/database'))
  await attempt('loader', async () => (await import('node:module')).register('data:text/javascript,'))
  await attempt('memory of WebAssembly', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 16384 })
    memory.grow(1)
    const found = Buffer.from(memory.buffer).includes('planted')
    if (!found) throw new Error('zeroed')
    return 'found'
  })
  await attempt('another realm', () => { const found = vm.runInNewContext('typeof process + typeof require'); if (found !== 'undefinedundefined') return found; throw new Error(found) })
  await attempt('another realm by a function', () => vm.runInThisContext('process.mainModule')?.require('node:child_process').execFileSync('/bin/cat', [secret]) ?? (() => { throw new Error('none') })())
}

export const newManager = ({ config }) => ({
  async install(ctx, metaData) { await tryAll(metaData, config) },
  uninstall() {}, sleep() {}, resume() {},
})
`
