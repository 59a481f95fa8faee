import { randomBytes } from 'node:crypto'
import type { Client } from '../../../engine/client/client.js'
import { type Secret, secrets } from '../../../engine/kube/builtin.js'
import { isNotFound } from '../../../engine/kube/error.js'
import type { FileChart } from '../../chart/chart.js'
import { isFunctionChart } from '../../chart/function-chart.js'
import type { JsonObject } from '../../chart/json-object.js'
import { seedKey, seedType } from '../../release/seed-secret.js'
import { ownerLabel } from '../../release/stored-release.js'
import { mayBeRandom } from '../../render/engine/random-functions.js'
import type { Chart, Repeat } from '../../render/renderer.js'

/** Whether a rendering needs a seed, so that its random text is the same each time. */
export function needsSeed(chart: Chart, values: JsonObject): chart is FileChart {
  return !isFunctionChart(chart) && mayBeRandom(chart, values)
}

const dayMs = 24 * 3_600_000

/** Another seed and another time, which give other random text; each attempt has its own seed. */
export const otherRepeat = ({ seed, nowMs }: Repeat, attempt = 0): Repeat => ({
  seed: `${seed} again${attempt > 0 ? ` ${attempt}` : ''}`,
  // Year, month, day, hour, minute and second differ.
  nowMs: nowMs + 400 * dayMs + 3_661_000,
})

const hourMs = 3_600_000

/**
 * The seed and the time of the random text that replaces that of a revision: the same for an hour, so that a crash
 * changes nothing.
 */
export const renewedRepeat = ({ seed }: Repeat, version: number, nowMs: number): Repeat => ({
  seed: `${seed} after ${version}`,
  nowMs: Math.floor(nowMs / hourMs) * hourMs,
})

/** A release, and the UID of the object that it belongs to. */
export interface SeededRelease {
  readonly release: { readonly namespace: string; readonly name: string }
  readonly owner: { readonly uid: string }
}

/**
 * The seed of the random text of one release, in one run. It is kept in a Secret, so that each run renders the same.
 */
export class ReleaseSeed {
  readonly #client: Client
  readonly #release: SeededRelease['release']
  readonly #owner: SeededRelease['owner']
  readonly #nowMs: () => number
  /** A seed that is not stored yet. */
  #unsaved: Repeat | undefined

  /** `nowMs` is the time in milliseconds since 1970. */
  constructor(client: Client, { release, owner }: SeededRelease, nowMs: () => number) {
    this.#client = client
    this.#release = release
    this.#owner = owner
    this.#nowMs = nowMs
  }

  /** The stored seed, or a new one. */
  async repeat(): Promise<Repeat> {
    const stored = this.#unsaved ? undefined : await readSeed(this.#client, seedKey(this.#release))
    if (stored) return repeatOf(stored)
    this.#unsaved ??= { seed: randomBytes(32).toString('base64'), nowMs: this.#nowMs() }
    return this.#unsaved
  }

  /**
   * Stores a new seed in a Secret, before any password that is made from the seed is applied. Rejects if another seed
   * has been stored meanwhile.
   */
  async save(): Promise<void> {
    if (!this.#unsaved) return
    const { seed, nowMs } = this.#unsaved
    const data = { seed, now: Buffer.from(String(nowMs)).toString('base64') }
    const metadata = { ...seedKey(this.#release), labels: { [ownerLabel]: this.#owner.uid } }
    await this.#client.create(secrets, { metadata, type: seedType, data })
    this.#unsaved = undefined
  }
}

function repeatOf({ data, metadata }: Secret): Repeat {
  const now = Buffer.from(data?.now ?? '', 'base64').toString()
  const nowMs = now === '' ? Date.parse(metadata.creationTimestamp ?? '') : Number(now)
  return { seed: data?.seed ?? '', nowMs: Number.isNaN(nowMs) ? 0 : nowMs }
}

async function readSeed(client: Client, key: ReturnType<typeof seedKey>): Promise<Secret | undefined> {
  return client.get(secrets, key).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
}

/** Deletes the seed of a release, unless it says that it belongs to another object. */
export async function deleteSeed(client: Client, { release, owner }: SeededRelease): Promise<void> {
  const key = seedKey(release)
  const seed = await readSeed(client, key)
  if (!seed || (seed.metadata.labels?.[ownerLabel] ?? owner.uid) !== owner.uid) return
  const { uid = '' } = seed.metadata
  await client.delete(secrets, key, { uid }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
