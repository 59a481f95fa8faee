import type { CustomResourceDefinition } from '../../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import type { VClusterRelease } from '../../helm/vcluster-release.js'
import type { SampleContent } from '../sample/builtin-samples.js'
import type { SampleProblem } from '../sample/sample-trial.js'
import type { FoundReference } from '../schema/schema-references.js'
import type { Direction } from './direction.js'
import type { CodeNames } from './names.js'

/** The kind that a new plugin copies. */
export interface KindDesign extends SampleContent {
  resource: Resource
  names: CodeNames
  /** The source of its type and resource: the SDK, a generated type, or a definition. */
  source: KindSource
  /** References to other objects in a custom kind's schema; default none. */
  references?: readonly FoundReference[]
  /** The sample of a custom kind before and after its change, as an API server stores it; default unknown. */
  stored?: { content: object; changed: object }
  /** Problems of the sample that an API server reports; default none. */
  problems?: readonly SampleProblem[]
}

/** The source of a kind in the generated code. */
export type KindSource =
  | { from: 'sdk' }
  | { from: 'kubernetes'; type: string }
  | { from: 'definition'; definition: CustomResourceDefinition }

/** The input of the templates. */
export interface PluginDesign {
  name: string
  kind: KindDesign
  direction: Direction
  vcluster: VClusterRelease
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}
