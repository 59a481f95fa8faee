import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init()
register(plugin, ctx, { excludeRootCa: process.env.EXCLUDE_KUBE_ROOT_CA === 'true' })
await plugin.start()
