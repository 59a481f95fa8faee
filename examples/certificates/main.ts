import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

const ctx = await plugin.init()
register(plugin, ctx)
await plugin.start()
