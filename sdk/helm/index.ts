// The public names of vcluster-plugin-sdk/helm, in a reader's order.

// Charts: from files, and in code.
export { loadChart } from './chart/load-chart.js'
export type { ChartDependency, ChartFile, ChartMetadata, FileChart } from './chart/chart.js'
export {
  type ChartRelease,
  type FunctionChart,
  type FunctionChartOptions,
  functionChart,
  type ObjectsFunction,
} from './chart/function-chart.js'
export { prerendered } from './render/code/prerendered.js'
export type { JsonObject } from './chart/json-object.js'

// watches.yaml.
export { type LoadWatchesOptions, loadWatches } from './watches/load-watches.js'
export type { WatchedKind, WatchEntry } from './watches/watch-entry.js'
export type { ValueOverride } from './values/overrides.js'
export type { ValuePath } from './values/value-path.js'
export type { Environment } from './values/expand-variables.js'

// Rendering.
export { defaultRenderer } from './render/default-renderer.js'
export { type EngineRendererOptions, engineRenderer } from './render/engine/engine-renderer.js'
export { type HelmRendererOptions, helmRenderer } from './render/program/helm-renderer.js'
export type {
  Capabilities,
  Chart,
  ChartRenderer,
  Lookup,
  LookupQuery,
  RecordedChart,
  RecordedFile,
  RenderedChart,
  RenderedObject,
  RenderRequest,
  Repeat,
} from './render/renderer.js'
export type { HookRun, ReleaseHook } from './render/release-hook.js'
export { RenderError, type RenderErrorReason } from './render/render-error.js'
export { type ClusterLookupOptions, clusterLookup } from './lookup/cluster-lookup.js'
export { chartPermissions } from './permissions/chart-permissions.js'

// A release for each custom resource.
export { helmController } from './reconciler/helm-controller.js'
export type { HelmControllerOptions, ValuesFunction } from './reconciler/options/options.js'
export type { HelmResource, ValuesContext } from './reconciler/options/values-context.js'
export type {
  CodeHook,
  CodeHookFunction,
  DeployedRevision,
  PostHookContext,
  PreHookContext,
} from './reconciler/options/code-hooks.js'
export type { IgnoredDrift } from './reconciler/objects/ignored-fields.js'
export type { ObjectsModifier } from './reconciler/options/modify-objects.js'
export { type PauseFunction, type PauseReason, pausedByAnnotation } from './reconciler/options/pause.js'
export type { ReleasePolicy } from './policy/release-policy.js'
export type { ReleaseNameFunction, TargetAnswer, TargetFunction } from './target/target-options.js'
export {
  type AnnotationNames,
  annotationNames,
  defaultAnnotations,
} from './annotations/annotation-reader.js'
export type { AnnotationOption, AnnotationOptions } from './annotations/annotation-options.js'
