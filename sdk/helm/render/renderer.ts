import type { KubeObject } from '../../engine/kube/object.js'
import type { FileChart } from '../chart/chart.js'
import type { ChartRelease, FunctionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'
import type { ReleaseHook } from './release-hook.js'

/** A chart that can be rendered. */
export type Chart = FileChart | FunctionChart

/** The cluster as templates know it, by `.Capabilities`. */
export interface Capabilities {
  /** The version of Kubernetes, such as `v1.36.3`. */
  readonly kubeVersion: string
  /** The served versions and kinds: `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[]
}

/** An object, or with an empty `name` a list of objects, that a template asks for by `lookup`. */
export interface LookupQuery {
  readonly apiVersion: string
  readonly kind: string
  /** `''` for cluster-scoped kinds, and for all namespaces. */
  readonly namespace: string
  readonly name: string
}

/** Answers `lookup`: the object, or the list for a query without a name; undefined if it does not exist. */
export type Lookup = (query: LookupQuery, signal: AbortSignal) => Promise<object | undefined>

/** The seed and time that determine random text: equal members give equal text, keys and certificates. */
export interface Repeat {
  readonly seed: string
  /** The time that templates see, in milliseconds since 1970: certificates begin then. */
  readonly nowMs: number
}

/** A request to render a chart. */
export interface RenderRequest {
  readonly chart: Chart
  /** The user's values, without the chart's defaults. */
  readonly values: JsonObject
  readonly release: ChartRelease
  readonly capabilities: Capabilities
  /** Answers `lookup`; default: nothing exists. */
  readonly lookup?: Lookup
  /** Makes random text, keys and certificates repeatable, if the renderer can do that; default random. */
  readonly repeat?: Repeat
  /**
   * Other seeds, with which the chart is rendered as well if its text depends on them: a renderer that can do that
   * answers `variants`. Default none. Numbers of `randInt` and the order of `shuffle` differ from those of a rendering
   * with that seed alone.
   */
  readonly variants?: readonly Repeat[]
  /** Whether the files in `crds/` are left out; default false. */
  readonly skipCrds?: boolean
  /**
   * The tenant of the request: renderings of one tenant do not hold up those of others. Default: the namespace of the
   * release.
   */
  readonly tenant?: string
}

/** An object that a chart makes, and the file that it comes from. */
export interface RenderedObject {
  readonly source: string
  readonly object: KubeObject
}

/** The parts of a chart that a release stores. */
export interface RecordedChart {
  readonly metadata: JsonObject
  readonly lock: JsonObject | null
  readonly templates: readonly RecordedFile[]
  readonly values: JsonObject
  /** Base64; `null` without a schema. */
  readonly schema: string | null
  readonly files: readonly RecordedFile[]
}

/** A file of a {@link RecordedChart}; its data is base64. */
export interface RecordedFile {
  readonly name: string
  readonly data: string
}

/** A rendered chart. */
export interface RenderedChart {
  /** All objects as one text of YAML documents in install order, as a release stores them. */
  readonly manifest: string
  /** The objects of the manifest, in its order; the members of lists one by one. */
  readonly objects: readonly RenderedObject[]
  readonly hooks: readonly ReleaseHook[]
  /** Names hooks that Helm leaves out, because it does not know one of their events; default none. */
  readonly leftOut?: readonly string[]
  /** The definitions in `crds/`, of subcharts as well. */
  readonly crds: readonly RenderedObject[]
  /** The text of `NOTES.txt`; `''` if there is none, or if the renderer does not give it. */
  readonly notes: string
  readonly chart: RecordedChart
  /** Whether another seed or time may render something else; undefined if the renderer does not know. */
  readonly isRandom?: boolean
  /** The chart with the seeds of `variants` of the request, in their order; missing ones can be rendered alone. */
  readonly variants?: readonly RenderedChart[]
}

/** Renders charts. */
export interface ChartRenderer {
  /** A name for messages, such as `helm 4.1.4`. */
  readonly name: string
  /** Whether equal seeds of `repeat` give equal random text; default true. */
  readonly repeatsRandom?: boolean
  /** Whether equal requests have equal results apart from random text, so that results can be reused; default false. */
  readonly mayReuse?: boolean
  /** Whether the renderer needs a folder for temporary files, which a read-only file system lacks; default false. */
  readonly writesTemporaryFiles?: boolean
  /** Renders a chart. Rejects with `RenderError` if the chart or the values are wrong. */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedChart>
  /** Ends running programs and threads of the renderer. */
  close(): Promise<void>
}
