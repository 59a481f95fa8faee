import { setMaxListeners } from 'node:events'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { type Answer, open, send, type Watch } from './client.js'
import { subjectOf } from './resources.js'
import type { Call, Step, StepKind, StepState } from './step.js'
import { stepKinds } from './steps/index.js'
import type { Json, Subject } from './subjects.js'

/** The raw result of one step. */
export interface StepOutput {
  readonly step: Step
  /** Empty if the client did not know enough for the step. */
  readonly answers: readonly Answer[]
  /** The events of a watch until the end of the sequence. */
  events?: readonly unknown[]
}

/** An object that is created after all steps. When a watch reports it, all events have arrived. */
const endMarker = 'zz-end'
const maxPages = 20

/** Runs a sequence on one server, in its own namespace, which must not exist. */
export async function play(
  transport: Transport,
  namespace: string,
  steps: readonly Step[],
): Promise<StepOutput[]> {
  const player = new Player(transport, namespace)
  try {
    return await player.play(steps)
  } finally {
    player.end()
  }
}

class Player {
  readonly #transport: Transport
  readonly #namespace: string
  readonly #seen = new Map<string, Json>()
  readonly #watches: { watch: Watch; played: StepOutput }[] = []
  readonly #ending = new AbortController()
  #beginning = ''

  constructor(transport: Transport, namespace: string) {
    this.#transport = transport
    this.#namespace = namespace
    // Each open watch listens to this signal.
    setMaxListeners(0, this.#ending.signal)
  }

  async play(steps: readonly Step[]): Promise<StepOutput[]> {
    await this.#makeNamespace()
    const played: StepOutput[] = []
    for (const step of steps) played.push(await this.#take(step))
    await this.#finishWatches()
    return played
  }

  end(): void {
    this.#ending.abort()
  }

  async #makeNamespace(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } }
    const answer = await send(this.#transport, { method: 'POST', path: '/api/v1/namespaces', body })
    if (answer.status !== 201) throw new Error(`namespace ${this.#namespace}: ${JSON.stringify(answer.body)}`)
    this.#beginning = String((answer.body as { metadata: Json }).metadata.resourceVersion)
  }

  async #take(step: Step): Promise<StepOutput> {
    const kind = stepKinds[step.do]
    if (kind === undefined) throw new Error(`unknown step "${step.do}"; see test/differential/steps`)
    const call = kind.call(this.#stateOf(step))
    if (call === undefined) return { step, answers: [] }
    if (kind.watches === true) return this.#watch(step, call)
    const answers = await this.#send(kind, call)
    for (const answer of answers) this.#remember(step, answer)
    return { step, answers }
  }

  #stateOf(step: Step): StepState {
    const subject = subjectOf(step.resource)
    const collection = collectionOf(subject, this.#namespace)
    const object = `${collection}/${step.name}`
    const seen = this.#seen.get(`${step.by} ${object}`)
    return {
      subject,
      namespace: this.#namespace,
      step,
      collection,
      object,
      seen,
      beginning: this.#beginning,
    }
  }

  async #watch(step: Step, call: Call): Promise<StepOutput> {
    const watch = await open(this.#transport, call, this.#ending.signal)
    const played = { step, answers: [watch.answer] }
    if (watch.answer.status === 200) this.#watches.push({ watch, played })
    return played
  }

  async #send({ pages }: StepKind, call: Call): Promise<Answer[]> {
    const answers: Answer[] = []
    for (let next: Call | undefined = call; next !== undefined && answers.length < maxPages; ) {
      const answer = await send(this.#transport, next)
      answers.push(answer)
      const token = pages === true ? continueOf(answer.body) : undefined
      next = token === undefined ? undefined : { ...call, path: `${call.path}&continue=${token}` }
    }
    return answers
  }

  /** Only whole objects are remembered, not lists, tables or Status. */
  #remember({ by, resource }: Step, { status, body }: Answer): void {
    const { kind, metadata } = Object(body) as { kind?: string; metadata?: Json }
    const subject = subjectOf(resource)
    if (status >= 300 || kind !== subject.kind || metadata?.uid === undefined) return
    const path = `${collectionOf(subject, this.#namespace)}/${metadata.name}`
    this.#seen.set(`${by} ${path}`, body as Json)
  }

  async #finishWatches(): Promise<void> {
    const plurals = new Set(this.#watches.map(({ played }) => played.step.resource))
    for (const plural of plurals) await this.#mark(plural)
    for (const { watch, played } of this.#watches) {
      played.events = await watch.readUntil(`"name":"${endMarker}"`)
    }
  }

  async #mark(resource: string): Promise<void> {
    const subject = subjectOf(resource)
    const metadata = { name: endMarker, labels: { team: 'a', tier: 'x' } }
    const body = { ...subject.bodies.plain, apiVersion: subject.apiVersion, kind: subject.kind, metadata }
    const path = collectionOf(subject, this.#namespace)
    const { status, body: said } = await send(this.#transport, { method: 'POST', path, body })
    if (status !== 201) throw new Error(`the last ${resource} of ${this.#namespace}: ${JSON.stringify(said)}`)
  }
}

function collectionOf({ apiVersion, plural }: Subject, namespace: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}/namespaces/${namespace}/${plural}`
}

function continueOf(body: unknown): string | undefined {
  const { metadata } = Object(body) as { metadata?: { continue?: string } }
  return metadata?.continue || undefined
}
