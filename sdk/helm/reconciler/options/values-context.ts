import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { ControllerContext } from '../../../operator/controller/context.js'

/** A custom resource that asks for a release. */
export type HelmResource = KubeObject & { spec?: unknown; status?: Record<string, unknown> }

/** The custom resource of a run, and the run. */
export interface ValuesContext {
  readonly resource: DeepReadonly<HelmResource>
  readonly ctx: ControllerContext<HelmResource>
}
