import { admission } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** Gives Apps a port. The API server may ask twice, so an App that has one keeps it. */
export const webhooks = [
  admission(apps, {
    default: (_ctx, app) => ({ ...app, spec: { ...app.spec, port: app.spec.port ?? 8080 } }),
  }),
]
