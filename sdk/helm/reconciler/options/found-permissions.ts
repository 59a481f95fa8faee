import { PluginError } from '../../../engine/kube/error.js'
import type { ControllerPermission } from '../../../operator/controller/controller-permission.js'
import { chartPermissions } from '../../permissions/chart-permissions.js'
import { exampleCapabilities } from '../../permissions/example-capabilities.js'
import { exampleNamespace, exampleReleaseName, forAllReleases } from '../../permissions/for-all-releases.js'
import { missingPermissions } from '../../permissions/missing-permissions.js'
import { defaultRenderer } from '../../render/default-renderer.js'
import { objectsOf } from '../../render/manifest.js'
import { RenderError } from '../../render/render-error.js'
import type { ChartRenderer, RenderedChart } from '../../render/renderer.js'
import { withOverrides } from '../../values/overrides.js'
import type { HelmControllerOptions } from './options.js'

/** How long a chart may render, in milliseconds. */
const renderTimeoutMs = 60_000

/** The permissions that a program needs for the releases of a chart, and whether it writes temporary files. */
export interface ReleaseNeeds {
  readonly permissions: readonly ControllerPermission[]
  readonly writesTemporaryFiles: boolean
}

/**
 * The permissions for the objects of a chart, from a rendering with `permissionValues` and the overrides. Rejects with
 * `PluginError` `INVALID_REGISTRATION` if the chart does not accept these values, and `NO_RENDERER`.
 */
export async function findReleaseNeeds(options: HelmControllerOptions): Promise<ReleaseNeeds> {
  const { chart, permissionValues } = options
  const renderer = options.renderer ?? (await defaultRenderer([chart]))
  const { writesTemporaryFiles = false } = renderer
  try {
    if (permissionValues === false) return { permissions: [], writesTemporaryFiles }
    const chart = await renderForPermissions(options, renderer)
    const hooks = await Promise.all(chart.hooks.map(({ manifest }) => objectsOf(manifest)))
    const objects = [...chart.objects, ...hooks.flat()].map(({ object }) => object)
    const permissions = [
      ...(await chartPermissions(chart)),
      ...missingPermissions(objects, namespaceOf(options)),
    ]
    return { permissions: forAllReleases(permissions), writesTemporaryFiles }
  } finally {
    if (!options.renderer) await renderer.close()
  }
}

/** The namespace of the release in the rendering. */
const namespaceOf = ({ targetNamespace }: HelmControllerOptions) => targetNamespace ?? exampleNamespace

/** Renders the chart without a cluster. */
async function renderForPermissions(
  options: HelmControllerOptions,
  renderer: ChartRenderer,
): Promise<RenderedChart> {
  const { resource, chart, overrides = [], permissionValues, crds } = options
  const release = { name: exampleReleaseName, namespace: namespaceOf(options), revision: 1, isInstall: true }
  const values = withOverrides(permissionValues || {}, overrides)
  const skipCrds = crds === 'skip'
  const request = { chart, values, release, skipCrds, capabilities: exampleCapabilities }
  return renderer.render(request, AbortSignal.timeout(renderTimeoutMs)).catch((cause: unknown) => {
    if (!(cause instanceof RenderError)) throw cause
    if (/(?:^|: )parse error (?:at|in) /.test(cause.message))
      throw new PluginError(
        'INVALID_CHART',
        `the chart of ${resource.kind} cannot be rendered: ${cause.message}; correct the template`,
        { cause },
      )
    const message =
      `the permissions of the reconciler of ${resource.kind} cannot be derived, because its chart does not accept ` +
      `${permissionValues ? 'permissionValues' : 'its own default values'}: ${cause.message}. Correct the template or values.yaml ` +
      'of the chart, or set permissionValues to values that it accepts, or to false and list permissions'
    throw new PluginError('INVALID_REGISTRATION', message, { cause })
  })
}
