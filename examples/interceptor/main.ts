import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

await plugin.init()
register(plugin)
await plugin.start()
