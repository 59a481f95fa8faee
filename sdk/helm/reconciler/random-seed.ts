import { randomBytes } from 'node:crypto'
import type { Client } from '../../client/client.js'
import { type Secret, secrets } from '../../kube/builtin.js'
import { isAlreadyExists, isNotFound } from '../../kube/error.js'
import type { FileChart } from '../chart/chart.js'
import { isFunctionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'
import { mayBeRandom } from '../render/engine/random-functions.js'
import type { Chart, Repeat } from '../render/renderer.js'

/** The type of the Secret with the seed of a release. */
const seedType = 'vcluster-plugin-sdk/random-seed'

/** Whether a rendering needs a seed, so that its random text is the same each time. */
export function needsSeed(chart: Chart, values: JsonObject): chart is FileChart {
  return !isFunctionChart(chart) && mayBeRandom(chart, values)
}

/** The key of the Secret with the seed of a release, next to its revisions. */
export const seedKey = ({ namespace, name }: { namespace: string; name: string }) => ({
  namespace,
  name: `sh.helm.seed.v1.${name}`,
})

/**
 * The seed of a release; it is made with the first rendering, after `beforeFirst`, and kept in a Secret, because passwords follow from
 * it.
 */
export async function randomSeed(
  client: Client,
  release: { namespace: string; name: string },
  beforeFirst: () => Promise<void>,
): Promise<Repeat> {
  const key = seedKey(release)
  const known = await read(client, key)
  if (!known) await beforeFirst()
  const secret = known ?? (await create(client, key))
  const created = Date.parse(secret.metadata.creationTimestamp ?? '')
  return { seed: secret.data?.seed ?? '', nowMs: Number.isNaN(created) ? 0 : created }
}

async function read(client: Client, key: ReturnType<typeof seedKey>): Promise<Secret | undefined> {
  return client.get(secrets, key).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
}

async function create(client: Client, key: ReturnType<typeof seedKey>): Promise<Secret> {
  const body = { metadata: key, type: seedType, data: { seed: randomBytes(32).toString('base64') } }
  return client.create(secrets, body).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
    return client.get(secrets, key)
  })
}

/** Deletes the seed of a release. */
export async function deleteSeed(
  client: Client,
  release: { namespace: string; name: string },
): Promise<void> {
  await client.delete(secrets, seedKey(release)).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}
