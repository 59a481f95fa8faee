import type { CustomResourceDefinition } from '../../kube/builtin.js'
import type { Resource } from '../../kube/resource.js'
import type { VClusterRelease } from '../manifest/vcluster-release.js'
import type { Direction } from './create-options.js'
import type { KindNames } from './names.js'
import type { SampleContent } from './sample-content.js'

/** The kind that a new plugin copies. */
export interface KindDesign extends SampleContent {
  resource: Resource
  names: KindNames
  /** Where its type and its resource come from: the SDK's own names, a generated type, or its definition. */
  source: KindSource
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
