import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init()
register(plugin, ctx, { fromHost: process.env.DEFINITION_FROM_HOST === 'true' })
await plugin.start()
