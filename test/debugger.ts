import { once } from 'node:events'
import { SourceMap } from 'node:module'
import { WebSocket } from 'undici'
import * as z from 'zod'

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
})
const script = z.object({
  scriptId: z.string(),
  url: z.string(),
  sourceMapURL: z.string().optional(),
  endLine: z.number(),
  endColumn: z.number(),
})
type Script = z.infer<typeof script>
/** A position in a script, from 0. */
interface Position {
  lineNumber: number
  columnNumber: number
}

/** Longer than the lines of the sources; a compiled script may be one line, whose length it says. */
const maxLine = 200

const stop = z.object({ callFrames: z.array(z.object({ functionName: z.string(), url: z.string() })) })

/** A debugger of a Node process, as an editor has it (https://chromedevtools.github.io/devtools-protocol/v8). */
export class Debugger {
  readonly #socket: WebSocket
  readonly #scripts: Script[] = []
  readonly #answers = new Map<number, (answer: z.infer<typeof message>) => void>()
  #onScript = (_: Script) => {}
  #onStop = (_: z.infer<typeof stop>) => {}
  #sent = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(message.parse(JSON.parse(String(data)))))
  }

  /** Attaches at the address of `Debugger listening on ws://…`. */
  static async attach(url: string): Promise<Debugger> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const attached = new Debugger(socket)
    await attached.#call('Debugger.enable')
    return attached
  }

  /** Lets a process go on that waits for its debugger. */
  async goOn(): Promise<void> {
    await this.#call('Runtime.runIfWaitingForDebugger')
  }

  detach(): void {
    this.#socket.close()
  }

  /**
   * Sets a breakpoint at the first line of a source with this text, as soon as the source is loaded, and resolves with
   * the name of the function in which the process stops there.
   */
  async stopAt(file: string, text: string, source: string): Promise<string> {
    const loaded = await this.#loaded(file)
    const line = source.split('\n').findIndex((one) => one.includes(text))
    const stopped = new Promise<z.infer<typeof stop>>((resolve) => {
      this.#onStop = resolve
    })
    const location = { scriptId: loaded.scriptId, ...compiledPosition(loaded, line) }
    await this.#call('Debugger.setBreakpoint', { location })
    return (await stopped).callFrames[0]?.functionName ?? ''
  }

  #loaded(file: string): Promise<Script> {
    const isIt = ({ url, sourceMapURL }: Script) => url.endsWith(file) && Boolean(sourceMapURL)
    const known = this.#scripts.find(isIt)
    if (known) return Promise.resolve(known)
    return new Promise((resolve) => {
      this.#onScript = (one) => isIt(one) && resolve(one)
    })
  }

  #call(method: string, params: object = {}): Promise<z.infer<typeof message>> {
    const id = ++this.#sent
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) =>
      this.#answers.set(id, (answer) =>
        answer.error ? reject(new Error(`${method}: ${answer.error.message}`)) : resolve(answer),
      ),
    )
  }

  #receive(received: z.infer<typeof message>): void {
    const { id, method, params } = received
    if (id !== undefined) this.#answers.get(id)?.(received)
    if (method === 'Debugger.scriptParsed') {
      const parsed = script.parse(params)
      this.#scripts.push(parsed)
      this.#onScript(parsed)
    }
    if (method === 'Debugger.paused') this.#onStop(stop.parse(params))
  }
}

/**
 * The first position of a compiled script that belongs to a line of its source, all from 0, by the map inside the
 * script.
 */
function compiledPosition({ sourceMapURL = '', endLine, endColumn }: Script, line: number): Position {
  const [, encoded = ''] = sourceMapURL.split('base64,')
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()))
  for (let lineNumber = 0; lineNumber <= endLine; lineNumber++)
    for (let columnNumber = 0; columnNumber <= Math.max(endColumn, maxLine); columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber)
      if ('originalLine' in entry && entry.originalLine === line) return { lineNumber, columnNumber }
    }
  throw new Error(`the source map has no line ${line + 1}`)
}
