import { PermanentError } from '../../engine/kube/error.js'

/** The configuration of a Module does not fit the schema of its program. */
export class ProgramConfigError extends PermanentError {}
