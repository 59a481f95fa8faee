import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init()
const { DESTINATION_NAMESPACE: destination } = process.env
register(plugin, ctx, destination ? { destination } : {})
await plugin.start()
