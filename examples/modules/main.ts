// Starts the operator against the cluster of the current kubeconfig context, or of its pod. Programs are loaded from
// ConfigMaps of its namespace, and from URLs that begin with PROGRAMS_URL.
import { createOperator } from 'vcluster-plugin-sdk/operator'
import { register } from './register.js'

const { PROGRAMS_URL } = process.env
const operator = createOperator({ name: 'modules-operator' })
register(operator, { allow: PROGRAMS_URL ? [PROGRAMS_URL] : [] })
await operator.start()
