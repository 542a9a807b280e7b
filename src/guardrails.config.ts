import { registerAs } from '@nestjs/config';
import { CONFIG_NAMESPACE, environmentSettings } from './options/configuration.js';

/**
 * The settings that the environment sets, for `ConfigModule.forRoot({ load: [guardrailsConfig] })`. The module reads
 * the namespace `guardrails` of the host's ConfigService without further code.
 */
export const guardrailsConfig = registerAs(CONFIG_NAMESPACE, () => environmentSettings());
