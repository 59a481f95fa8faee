// The Pod at the target: replaces the files of its volume by those of the source.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connect, type TLSSocket } from 'node:tls'
import { ByteCounter, type Sum, Unframe } from './frames.js'
import { identity, receivedAnswer, type Settings, silenceMs, tlsOptions } from './settings.js'

const connectAttempts = 10
const pauseMs = 1_000
/** The errors of a network that is not ready yet. */
const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']

/** Fetches all files and returns the size and digest of the stream. Rejects unless they equal those of the sender. */
export async function fetchAll(settings: Settings): Promise<Sum> {
  const socket = await connectWithRetries(settings)
  try {
    const sum = await receive(settings.folder, socket)
    await new Promise((resolve) => socket.write(`${receivedAnswer}\n`, resolve))
    return sum
  } finally {
    socket.end()
  }
}

async function receive(folder: string, socket: TLSSocket): Promise<Sum> {
  const sums: Sum[] = []
  const unframe = new Unframe((sum) => {
    sums.push(sum)
    unframe.end() // The connection stays open for the answer.
  })
  unframe.on('error', () => {})
  socket.on('error', (error) => unframe.destroy(error))
  socket.on('close', () => unframe.destroy(new Error('the source is gone')))
  await emptyFolder(folder)
  try {
    const sum = await extract(folder, { socket, unframe })
    if (sums[0]?.bytes === sum.bytes && sums[0].sha256 === sum.sha256) return sum
  } catch (error) {
    throw unframe.errored ?? error
  }
  throw new Error('the files differ from those that were sent: count or digest is another')
}

async function extract(
  folder: string,
  { socket, unframe }: { readonly socket: TLSSocket; readonly unframe: Unframe },
): Promise<Sum> {
  const tar = spawn('tar', ['-x', '-p', '-f', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(tar, 'close')
  ended.catch(() => {})
  const counter = new ByteCounter()
  void ended.then(([code]) => code === 0 || unframe.destroy(failureOf(code))).catch(() => {})
  socket.pipe(unframe, { end: false })
  await pipeline(unframe, countedInput(tar.stdin, counter))
  const [code] = await ended
  if (code !== 0) throw failureOf(code)
  return counter.sum()
}

const failureOf = (code: unknown) => new Error(`tar could not write the volume: it ended with ${code}`)

/**
 * The standard input of tar, counted. tar exits when it has read the end of the archive, even if more bytes follow:
 * those bytes are only counted. The exit code of tar says whether it has written all files.
 */
function countedInput(stdin: Writable, counter: ByteCounter): Writable {
  stdin.on('error', () => {})
  return new Writable({
    write(chunk: Buffer, _, done) {
      counter.add(chunk)
      if (stdin.destroyed) done()
      else stdin.write(chunk, () => done())
    },
    final(done) {
      stdin.end()
      done()
    },
  })
}

/** Deletes the files in a folder, which the installation of the fork has written. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== 'lost+found') await rm(join(folder, name), { recursive: true, force: true })
}

async function connectWithRetries(settings: Settings): Promise<TLSSocket> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(settings)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (attempt >= connectAttempts || !unreachable.includes(code)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

function connectOnce({ host, port, key }: Settings): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const pskCallback = () => ({ psk: key, identity })
    const socket = connect({
      ...tlsOptions,
      host,
      port,
      pskCallback,
      checkServerIdentity: () => undefined,
    } as never)
    socket.setTimeout(silenceMs, () => socket.destroy(new Error('the source is silent')))
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
