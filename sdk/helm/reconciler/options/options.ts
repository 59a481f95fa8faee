import type { CustomResourceDefinition } from '../../../engine/kube/builtin.js'
import type { LabelSelector } from '../../../engine/kube/label-selector.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { ControllerPermission } from '../../../operator/controller/controller-permission.js'
import type { AnnotationNames } from '../../annotations/annotation-reader.js'
import type { JsonObject } from '../../chart/json-object.js'
import type { ReleasePolicy } from '../../policy/release-policy.js'
import type { Chart, ChartRenderer } from '../../render/renderer.js'
import type { ReleaseNameFunction, TargetFunction } from '../../target/target-options.js'
import type { ValueOverride } from '../../values/overrides.js'
import type { WatchedKind } from '../../watches/watch-entry.js'
import type { IgnoredDrift } from '../objects/ignored-fields.js'
import type { CodeHook, PostHookContext, PreHookContext } from './code-hooks.js'
import type { ObjectsModifier } from './modify-objects.js'
import type { PauseFunction } from './pause.js'
import type { HelmResource, ValuesContext } from './values-context.js'

/** Returns the values that replace the given ones. */
export type ValuesFunction = (values: JsonObject, context: ValuesContext) => JsonObject | Promise<JsonObject>

/** Options of `helmController`. An entry of `watches.yaml` sets those of its keys. `T` is the type of the objects. */
export interface HelmControllerOptions<T extends KubeObject = HelmResource> {
  /**
   * The kind whose objects get a release each. A plural that is not given is guessed, as Kubernetes guesses it. A
   * `Resource` also says which type the objects have.
   */
  readonly resource: WatchedKind & { readonly objectType?: T }
  readonly chart: Chart
  /** The definition of the kind, for `vcluster-plugin manifest` and `dev`; default none. */
  readonly definition?: CustomResourceDefinition
  /** Names the controller; default the plural of its kind. Never change it. */
  readonly name?: string
  /** The cluster that holds the objects and their releases; default the only cluster of an operator. */
  readonly cluster?: string
  /**
   * The cluster of the releases; default that of the objects. In a plugin of a vcluster, `host` with `cluster:
   * 'virtual'` lets tenants ask for what the plugin installs in the host's namespace of the vcluster, and `virtual`
   * with `cluster: 'host'` the reverse.
   *
   * A function says it for each object, and can choose the namespace and the name as well. An answer that cannot be
   * used is the reason `InvalidTarget` or `NotAllowed` of the condition `Irreconcilable`. A release that exists is not
   * moved if the answer changes: it stays, and the reason is `TargetChanged`.
   */
  readonly target?: string | TargetFunction<T>
  /** The clusters that a function `target` may answer; default that of the objects. */
  readonly targets?: readonly string[]
  /** Renders the chart; default `defaultRenderer`. */
  readonly renderer?: ChartRenderer
  /** Makes values of the spec of the object; default the spec itself. */
  readonly translateValues?: ValuesFunction
  /** Changes the values before the overrides; default not. */
  readonly mapValues?: ValuesFunction
  /** Values that win over all others; default none. */
  readonly overrides?: readonly ValueOverride[]
  /** Selects the objects that get a release; default all. */
  readonly selector?: LabelSelector
  /** Whether changes of the objects of a release run its key; default true. */
  readonly watchDependentResources?: boolean
  /**
   * The time after which a release is compared again, in milliseconds, plus or minus 10 %; default 60,000; 0 for never.
   */
  readonly reconcilePeriodMs?: number
  /** How many objects are reconciled at a time; default the number of cores. */
  readonly maxConcurrentReconciles?: number
  /** The most revisions that are kept; default 10; 0 keeps all. */
  readonly maxHistory?: number
  /**
   * The name of the release: that of the object, or one with a hash; default `name`. Names that are too long get the
   * hash. On the host of a vcluster, `-x-`, the namespace, `-x-`, the name of the vcluster and `-helm` follow.
   *
   * A function names it for each object, on the host, too. Helm has to accept the name, of at most 53 characters. If
   * several objects ask for one name in one namespace, the first one gets it, and the others have the reason
   * `ReleaseNameTaken`.
   */
  readonly releaseName?: 'name' | 'name-hash' | ReleaseNameFunction<T>
  /**
   * The namespace of the releases; default that of the object, and on the host of a vcluster the one that the plugin
   * writes to. Required for kinds without a namespace, and for another cluster that is not the host of a vcluster.
   */
  readonly targetNamespace?: string
  /** Whether the namespace of a release is created if it is absent; it stays when the release goes. Default false. */
  readonly createNamespace?: boolean
  /**
   * For releases on the host of objects in the virtual cluster: whether `lookup` of templates finds the objects of the
   * custom resource's namespace in the virtual cluster in place of those of the host; default false.
   */
  readonly virtualNames?: boolean
  /**
   * The releases of other programs that are taken over; default `same-chart`: those of a chart of the same name. On the
   * host of a vcluster, the default is `never` if a function names the releases: tenants could ask for the names of
   * others.
   */
  readonly adopt?: 'never' | 'same-chart' | 'always'
  /**
   * More field managers whose fields become those of the release when it is taken over from a program that applied it
   * client-side; default none. Helm 3 writes as `helm`, and a program that has it as a library under the name of its
   * own binary: `manager`, `helm-operator`, `helm-controller` and `terraform-provider-helm…` are known. Name other
   * ones, or a field that they wrote stays in its object when it leaves the chart.
   *
   * @example
   * ```ts
   * const options: Partial<HelmControllerOptions> = { formerFieldManagers: ['my-operator'] }
   * ```
   */
  readonly formerFieldManagers?: readonly string[]
  /**
   * The objects that a release may contain; default any that the account of the program may write. Set it wherever
   * others than the administrators of the cluster write the custom resources: without it they are as strong as the
   * program. `{}` allows the namespace of the release alone, and is the default for releases on the host of a vcluster.
   */
  readonly allow?: ReleasePolicy
  /**
   * The definitions in `crds/` are created if they are absent, or also changed, or left alone; default `install`. With
   * `skip` the files are not read, so a definition that leaves the templates is not deleted.
   */
  readonly crds?: 'install' | 'upgrade' | 'skip'
  /** Fields of the release that others changed are repaired, only reported, or ignored; default `correct`. */
  readonly driftDetection?: 'correct' | 'report' | 'off'
  /**
   * Fields that others decide once an object is there, such as `spec.replicas` of a Deployment with an autoscaler;
   * default none. They are not looked at, and keep their values when an object is applied again, unless an upgrade
   * changes them.
   */
  readonly ignoreDrift?: readonly IgnoredDrift[]
  /**
   * A revision that another program made of a release, such as `helm rollback`, is followed by an upgrade to the state
   * that the custom resource asks for, or with `hold` left until its spec changes; the condition `Paused` says so.
   * Default `reconcile`.
   */
  readonly onForeignRevision?: 'reconcile' | 'hold'
  /**
   * Whether `status.deployedRelease` of the custom resource contains the manifest, without the values of Secrets;
   * default false. Those who may read the custom resource see the other objects then. One of more than 256 KiB is left
   * out.
   */
  readonly statusManifest?: boolean
  /**
   * A revision waits until its objects are `ready`, or with `jobs` also for the end of its Jobs, before it is deployed;
   * default `none`. Waiting does not count for `maxConcurrentReconciles`.
   */
  readonly wait?: 'none' | 'ready' | 'jobs'
  /**
   * The reaction to a revision that failed: `retry` tries again with backoff; `rollback` deploys the last deployed
   * revision again as a new one; `uninstall` also deletes the objects of a first installation. Default `rollback` for
   * upgrades and `retry` for installations.
   */
  readonly onFailure?: 'retry' | 'rollback' | 'uninstall'
  /** After this time, inputs that the release went back for are tried again, in milliseconds; default 600,000. */
  readonly retryFailedMs?: number
  /**
   * Whether the release of an object is left as it is, asked in each run; the condition `Paused` says so. A function
   * that fails pauses it. A deletion is not paused. Default not.
   */
  readonly paused?: PauseFunction
  /** Code before the chart is rendered, in each run; default none. */
  readonly preHooks?: readonly CodeHook<PreHookContext>[]
  /** Code after the release is in its intended state, in each run; default none. */
  readonly postHooks?: readonly CodeHook<PostHookContext>[]
  /** Code before the release is uninstalled; default none. It may run again. */
  readonly preUninstallHooks?: readonly CodeHook<ValuesContext>[]
  /** Code after the release is uninstalled, before its object goes; default none. It may run again. */
  readonly postUninstallHooks?: readonly CodeHook<ValuesContext>[]
  /**
   * With the annotation `uninstall-wait`: after this time the objects that are left are reported, in milliseconds;
   * default 30,000.
   */
  readonly uninstallTimeoutMs?: number
  /**
   * Changes the objects of the rendered chart, hooks and `crds/` excepted; default not. Equal objects have to give
   * equal ones, and kinds, names and namespaces stay.
   */
  readonly modifyObjects?: ObjectsModifier
  /**
   * An environment variable that a container of the chart has twice: with `refuse` the API server refuses it in
   * server-side apply, as with helm 4. `last` applies the last one, which is the one that the container gets if helm 3
   * applies both. Default `refuse`.
   */
  readonly repeatedEnv?: 'refuse' | 'last'
  /**
   * The handling of values that the chart probably does not mean: keys that nothing in its files names, such as a
   * misspelled one, and values of another type than the default. With `warn` an Event `DoubtfulValue` names them,
   * `refuse` writes nothing. Charts in code have none. Default `warn`.
   */
  readonly doubtfulValues?: 'warn' | 'refuse' | 'ignore'
  /** Whether objects that exist and name no release are taken over, and deleted with the release; default false. */
  readonly takeOwnership?: boolean
  /**
   * If an uninstallation still fails this long after the deletion of its object, in milliseconds, the finalizer is
   * removed: for example because the cluster of its release is gone; default never.
   */
  readonly abandonAfterMs?: number
  /** The limit of each hook and of waiting, in milliseconds; default 300,000. */
  readonly timeoutMs?: number
  /** After this time an operation of another program counts as interrupted, in milliseconds; default 300,000. */
  readonly pendingGraceMs?: number
  /** The annotations of the object that set options; default the seven of helm-operator-plugins. */
  readonly annotations?: AnnotationNames
  /**
   * The values of the rendering from which the permissions for the objects of the chart are derived when the program is
   * described, for example by `vcluster-plugin rbac`. Give values that make every kind of object. Default the values of
   * the chart; `false` derives none. The overrides win over them.
   */
  readonly permissionValues?: JsonObject | false
  /** Permissions that no rendering shows: for other values, and for calls of the functions above; default none. */
  readonly permissions?: readonly ControllerPermission[]
}
