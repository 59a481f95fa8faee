import type { CustomResourceDefinition } from '../../../sdk/kube/builtin.js'
import type { Resource } from '../../../sdk/kube/resource.js'
import type { VClusterRelease } from '../../helm/vcluster-release.js'
import type { SampleContent } from '../sample/builtin-samples.js'
import type { SampleProblem } from '../sample/sample-trial.js'
import type { FoundReference } from '../schema/schema-references.js'
import type { Direction } from './direction.js'
import type { KindNames } from './names.js'

/** The kind that a new plugin copies. */
export interface KindDesign extends SampleContent {
  resource: Resource
  names: KindNames
  /** Where its type and its resource come from: the SDK's own names, a generated type, or its definition. */
  source: KindSource
  /** What of a custom kind's schema refers to other objects; default nothing. */
  references?: readonly FoundReference[]
  /** What an API server makes of a custom kind's sample, and of its change; default nothing is known of it. */
  stored?: { content: object; changed: object }
  /** Why an API server refuses the sample; default it does not. */
  problems?: readonly SampleProblem[]
}

/** Where the code has a kind from. */
export type KindSource =
  | { from: 'sdk' }
  | { from: 'kubernetes'; type: string }
  | { from: 'definition'; definition: CustomResourceDefinition }

/** Everything that the files of a new plugin are made from. */
export interface PluginDesign {
  name: string
  kind: KindDesign
  direction: Direction
  vcluster: VClusterRelease
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}
