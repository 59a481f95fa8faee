// The Pod at the source: sends the files of its volume to the first client that has the key and receives all of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { ByteCounter, endOf, frameOf, type Sum } from './frames.js'
import { identity, receivedAnswer, type Settings, silenceMs, tlsOptions } from './settings.js'

/** Serves until a client has received everything, and returns the size and digest of the sent stream. */
export function serve({ folder, port, key, host }: Settings): Promise<Sum> {
  return new Promise((resolve, reject) => {
    let isBusy = false
    const options = {
      ...tlsOptions,
      pskCallback: (_: TLSSocket, name: string) => (name === identity ? key : null),
    }
    const server: Server = createServer(options as never, (socket) => {
      if (isBusy) {
        socket.destroy()
        return
      }
      isBusy = true
      send(folder, socket)
        .then((sum) => {
          server.close()
          resolve(sum)
        })
        .catch((error: Error) => {
          isBusy = false
          console.error(error.message)
          socket.destroy()
        })
    })
    server.on('error', reject)
    server.on('tlsClientError', () => {})
    server.listen(port, host || undefined, () => console.log('serving'))
  })
}

async function send(folder: string, socket: TLSSocket): Promise<Sum> {
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('the client is silent')))
  const answer = answerOf(socket)
  answer.catch(() => {})
  const args = ['-c', '-f', '-', '-C', folder, '--exclude=./lost+found', '.']
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(tar, 'close')
  ended.catch(() => {})
  try {
    const counter = new ByteCounter()
    for await (const chunk of tar.stdout as AsyncIterable<Buffer>) {
      counter.add(chunk)
      await write(socket, frameOf(chunk))
    }
    const [code] = await ended
    if (code !== 0) throw new Error(`tar could not read the volume: it ended with ${code}`)
    const sum = counter.sum()
    await write(socket, endOf(sum))
    if ((await answer) !== receivedAnswer) throw new Error('the client did not receive the volume')
    socket.end()
    return sum
  } finally {
    tar.kill('SIGKILL')
  }
}

/** Writes data, and waits until a slow client has read it or has disconnected. */
function write(socket: TLSSocket, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) reject(new Error('the client is gone'))
    else socket.write(data, (error) => (error ? reject(error) : resolve()))
  })
}

/** The line that the client answers. */
function answerOf(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n') || text.length > 100) resolve(text.split('\n')[0] ?? '')
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the client is gone')))
  })
}
