import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { definition, type Greeting, kind as greeting } from '../../sdk/helm/reconciler/greetings.fixture.js'

/** A further kind with any spec, because a kind has one reconciler. */
export interface ReleasedKind {
  readonly kind: Resource<Greeting>
  readonly definition: CustomResourceDefinition
}

/** Makes a kind with a name such as `Scaled`. */
export function releasedKind(name: string): ReleasedKind {
  const plural = `${name.toLowerCase()}s`
  return {
    kind: { ...greeting, kind: name, plural },
    definition: {
      ...definition,
      metadata: { name: `${plural}.${greeting.group}` },
      spec: { ...definition.spec, names: { kind: name, plural } },
    },
  }
}
