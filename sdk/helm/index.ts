// The public names of vcluster-plugin-sdk/helm, listed by hand, in the order in which a reader needs them.

// The first names: a release of a chart for each custom resource, by `watches.yaml` or in code.
export { loadWatches } from './watches/load-watches.js'
export { helmController } from './reconciler/helm-controller.js'
export type { HelmControllerOptions, ValuesFunction } from './reconciler/options/options.js'
export type { HelmResource, ValuesContext } from './reconciler/options/values-context.js'
export { loadChart } from './chart/load-chart.js'
export { functionChart } from './chart/function-chart.js'
export type { JsonObject } from './chart/json-object.js'
export { defaultRenderer } from './render/default-renderer.js'
export { chartPermissions } from './permissions/chart-permissions.js'

// The parts of HelmControllerOptions: hooks in code, changed objects, drift, pause, policy, names, annotations.
export type {
  CodeHook,
  CodeHookFunction,
  DeployedRevision,
  PostHookContext,
  PreHookContext,
} from './reconciler/options/code-hooks.js'
export type { ObjectsModifier } from './reconciler/options/modify-objects.js'
export type { IgnoredDrift } from './reconciler/objects/ignored-fields.js'
export { type PauseFunction, type PauseReason, pausedByAnnotation } from './reconciler/options/pause.js'
export type { ReleasePolicy } from './policy/release-policy.js'
export type { ReleaseNameFunction, TargetAnswer, TargetFunction } from './target/target-options.js'
export {
  type AnnotationNames,
  annotationNames,
  defaultAnnotations,
} from './annotations/annotation-reader.js'
export type { AnnotationOption, AnnotationOptions } from './annotations/annotation-options.js'

// The entries of `watches.yaml`.
export type { LoadWatchesOptions } from './watches/load-watches.js'
export type { WatchedKind, WatchEntry } from './watches/watch-entry.js'
export type { ValueOverride } from './values/overrides.js'
export type { ValuePath } from './values/value-path.js'
export type { Environment } from '../engine/kube/environment.js'

// Charts: from files, and in code.
export type { ChartDependency, ChartFile, ChartMetadata, FileChart } from './chart/chart.js'
export type {
  ChartRelease,
  FunctionChart,
  FunctionChartOptions,
  ObjectsFunction,
} from './chart/function-chart.js'
export { prerendered } from './render/code/prerendered.js'

// Rendering without a controller.
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
