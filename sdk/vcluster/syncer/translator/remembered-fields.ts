import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { RememberedFields } from '../both/remembered.js'
import type { CopyMetadata } from './copy-metadata.js'
import type { OwnTranslatorOptions } from './translator-options.js'

/** The fields whose last synced state the copies of a translator record; `undefined` if its options name none. */
export function rememberedFields<T extends KubeObject>(
  resource: Resource<T>,
  metadata: CopyMetadata,
  { remembers = [], ignored = [] }: OwnTranslatorOptions,
): RememberedFields<T> | undefined {
  if (remembers.length === 0) return undefined
  const crossing = {
    virtual: (virtual: T) => metadata.sharedOfVirtual(virtual),
    host: (host: T, virtual: T) => metadata.sharedOfHost(host, virtual),
  }
  return new RememberedFields({ resource, paths: remembers, ignored, crossing })
}
