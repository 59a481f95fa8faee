import type { Client } from '../../sdk/engine/client/client.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { formatKey, type Key } from '../../sdk/engine/kube/key.js'
import type { AppliedSample } from '../samples/samples.js'

/**
 * The last sample, from which the objects are made; it may depend on the others. Throws a `PluginError`
 * `INVALID_MANIFEST` if there are no samples.
 */
export function lastSample(samples: readonly AppliedSample[], file: string | undefined): AppliedSample {
  const sample = samples.at(-1)
  if (sample) return sample
  const fileName = file ?? 'samples.yaml'
  throw new PluginError(
    'INVALID_MANIFEST',
    `${fileName} has no object that a program could handle; add one at the end`,
  )
}

/** The key of the object with a number that is made from a sample. */
export function numberedKey({ key }: Pick<AppliedSample, 'key'>, number: number): Key {
  return { ...key, name: `${key.name}-${number}` }
}

/**
 * Creates the object with a number from the sample as written, without fields that the server added, such as addresses.
 * Throws a `PluginError` `INVALID_MANIFEST` if the server refuses it.
 */
export async function createObject(client: Client, sample: AppliedSample, number: number): Promise<void> {
  const { resource, key, object } = sample
  const { metadata, ...content } = object
  const numberedMetadata = { ...metadata, name: numberedKey(sample, number).name }
  await client.create(resource, { ...content, metadata: numberedMetadata }).catch((error: unknown) => {
    const problem = `cannot create more objects from ${resource.kind} ${formatKey(key)}: ${String(error)}`
    throw new PluginError('INVALID_MANIFEST', `${problem}; remove fields that must be unique`)
  })
}

/** Creates the objects 1 to `count`. */
export async function createNumbered(client: Client, sample: AppliedSample, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await createObject(client, sample, number)
}
