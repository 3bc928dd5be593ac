import { describe, expect, it } from 'vitest';
import { readSettings, SETTING_VARIABLES } from '../../../../src/core/environment/settings.ts';

describe('settings', () => {
  it('default to the folders of the user', () => {
    const settings = readSettings({ HOME: '/home/someone' });
    expect(settings.homeFolder).toBe('/home/someone/.local/state/filinglake');
    expect(settings.cacheFolder).toBe('/home/someone/.cache/filinglake');
    expect(settings).toMatchObject({ apiKey: null, temporalAddress: null, logTarget: 'file' });
  });

  it('follow the XDG folders, and our own variables before them', () => {
    const xdg = { HOME: '/h', XDG_STATE_HOME: '/state', XDG_CACHE_HOME: '/cache' };
    expect(readSettings(xdg).homeFolder).toBe('/state/filinglake');
    expect(readSettings(xdg).cacheFolder).toBe('/cache/filinglake');
    const own = { ...xdg, FILINGLAKE_HOME: '/own', FILINGLAKE_CACHE: '/kept' };
    expect(readSettings(own)).toMatchObject({ homeFolder: '/own', cacheFolder: '/kept' });
  });

  it('take an empty variable as not set', () => {
    expect(readSettings({ HOME: '/h', FILINGLAKE_API_KEY: ' ', TEMPORAL_ADDRESS: '' })).toMatchObject({
      apiKey: null,
      temporalAddress: null,
    });
  });

  it('refuse a value that is none of the allowed ones, and name the nearest', () => {
    expect(() => readSettings({ HOME: '/h', FILINGLAKE_LOG: 'sdterr' })).toThrowError(
      expect.objectContaining({ code: 'setting-invalid', exitCode: 2, remedy: "Did you mean 'stderr'?" }),
    );
  });

  it('are each described once', () => {
    const names = SETTING_VARIABLES.map((variable) => variable.name);
    expect(new Set(names).size).toBe(names.length);
  });
});
