import { type Key, parseKey } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import {
  hostObjectAnnotation,
  nameAnnotation,
  namespaceAnnotation,
} from '../../sdk/vcluster/naming/ownership-keys.js'

/** The original that a copy names: by vcluster's annotations on the host, by the SDK's in the virtual cluster. */
export const originalOf: Readonly<Record<Side, (copy: KubeObject) => Key | undefined>> = {
  host({ metadata: { annotations } }) {
    const name = annotations?.[nameAnnotation]
    return name === undefined ? undefined : { namespace: annotations?.[namespaceAnnotation] ?? '', name }
  },
  virtual({ metadata: { annotations } }) {
    const original = annotations?.[hostObjectAnnotation]
    return original === undefined ? undefined : parseKey(original)
  },
}
