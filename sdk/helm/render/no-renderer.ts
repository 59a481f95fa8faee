import { PluginError } from '../../engine/kube/error.js'

/** The error if there is no renderer for charts with templates. */
export const noRendererError = (options?: ErrorOptions) => new PluginError('NO_RENDERER', missing, options)

const missing =
  'charts cannot be rendered: there is neither the template engine of Helm nor a helm program. In a clone of the SDK, ' +
  'build the engine with `npm run helm-engine`, which needs Go; elsewhere install helm 3.13 or later and set HELM_BIN, ' +
  'or use functionChart'
