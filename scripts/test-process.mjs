// Runs test files in a process of their own.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { childrenTimeMs } from './children-time.mjs'

const root = resolve(import.meta.dirname, '..')
const loader = new URL('load-typescript.mjs', import.meta.url).href
const nodeFlags = [`--import=${loader}`, '--conditions=vcluster-plugin-sdk:source']
const group = resolve(import.meta.dirname, 'test-group.mjs')
/** V8's code of what tests and the programs that they start load. */
const compiled = resolve(root, '.tap/compiled')
/** The time limit of a process, and of each test in it, unless a file sets another, in seconds. */
const limitSeconds = (files) => 600 + 30 * (files.length - 1)
/** The time for a process over its limit to report what it waits for, in milliseconds. */
const lastWordsMs = 1000

const running = new Set()

/** From now on, a signal that ends this process ends the processes with test files too. */
export function passSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      process.kill(process.pid, signal)
    })
  }
}

/**
 * Runs files one after the other in one process. Resolves to its TAP output, its times in milliseconds and how it
 * ended. `env` is added to the environment.
 */
export function runFiles(files, env) {
  const startMs = performance.now()
  const child = startProcess(files, env)
  running.add(child)
  let timer = limit(child, limitSeconds(files) * 1000)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
    const wanted = /^ *# timeout=(\d+)$/m.exec(chunk)?.[1]
    if (!wanted) return
    clearTimeout(timer)
    timer = limit(child, Number(wanted))
  })
  let processorMs
  child.on('exit', () => {
    processorMs = newChildrenTimeMs()
  })
  return new Promise((done) => {
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      running.delete(child)
      done({ files, output, exitCode, signal, processorMs, ms: performance.now() - startMs })
    })
  })
}

function startProcess(files, env) {
  const [only, ...others] = files
  const isGroup = others.length > 0
  return spawn(process.execPath, [...nodeFlags, isGroup ? group : only], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TAP: '1',
      TAP_TIMEOUT: `${limitSeconds(files)}`,
      ...(isGroup && { TEST_FILES: files.join(',') }),
      // Programs are described, and handle their samples, while other tests have the processors.
      VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT: process.env.VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT ?? '120',
      VCLUSTER_PLUGIN_READY_TIMEOUT: process.env.VCLUSTER_PLUGIN_READY_TIMEOUT ?? '120',
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
  })
}

let knownChildrenMs = childrenTimeMs()

/** The processor time of the children that have ended since the last call: of one, unless two end in one turn. */
function newChildrenTimeMs() {
  const before = knownChildrenMs
  knownChildrenMs = childrenTimeMs()
  return before === undefined ? undefined : knownChildrenMs - before
}

/** Ends a process after its time. On SIGALRM, tap reports what the file waits for. */
function limit(child, ms) {
  return setTimeout(() => {
    child.kill('SIGALRM')
    setTimeout(() => child.kill('SIGKILL'), lastWordsMs).unref()
  }, ms)
}
