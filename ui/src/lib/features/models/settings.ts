import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

export function entries({ models }: Pick<Services, 'models'>): SettingsEntry[] {
  return [
    { id: 'model', section: 'models', title: 'Default model', about: 'The model for runs that don’t set their own.', keywords: 'llm', control: { kind: 'part' } },
    { id: 'providers', section: 'models', title: 'Providers', about: 'Anthropic, OpenAI, Ollama and OpenAI-compatible servers.', keywords: 'api key openai anthropic ollama llama token', control: { kind: 'part' } },
    { id: 'local-models', section: 'models', title: 'Local models', about: 'Find Ollama, llama.cpp and LM Studio.', keywords: 'local server discover', control: { kind: 'part' } },
    { id: 'model-keys', section: 'models', title: 'API keys', about: 'Keys are stored in the system keychain or an encrypted file.', keywords: 'secret password keychain', control: { kind: 'part' } },
    { id: 'key-file', section: 'data', order: 50, title: 'API keys of providers', about: 'Never stored with settings.', keywords: 'secret keychain', control: { kind: 'fact', text: () => (models.setup ? (models.setup.key_location.path ?? 'In the system keychain') : null) } },
  ];
}
