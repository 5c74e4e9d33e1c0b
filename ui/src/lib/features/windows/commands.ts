import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'log' | 'windows'>;

export function windowsCommands(services: Needs): Command[] {
  const { windows } = services;
  const { zoom } = windows;

  return [
    { id: 'window.new', group: 'Window', title: 'New window', keys: ['Ctrl+Shift+N'], run: () => windows.open() },
    { id: 'window.folder', group: 'Window', title: 'Open folder in new window', keywords: 'workspace recent', run: () => windows.openFolder() },
    { id: 'window.close', group: 'Window', title: 'Close window', keys: ['Ctrl+Shift+W'], run: () => windows.close() },
    { id: 'window.quit', group: 'Window', title: 'Quit', keys: ['Ctrl+Q'], keywords: 'exit close all windows end', run: () => windows.quit() },
    { id: 'view.log', group: 'View', title: 'Toggle log', inGuide: true, keywords: 'errors warnings trouble debug output', run: () => services.log.toggle() },
    { id: 'help.diagnostics', group: 'Help', title: 'Copy diagnostics', inGuide: true, keywords: 'report bug problem version log support', run: () => services.log.copyDiagnostics() },
    { id: 'view.fill', group: 'View', title: 'Toggle full screen', keys: ['F11'], keywords: 'fill maximise', run: () => windows.fill() },
    { id: 'view.zoomIn', group: 'View', title: 'Zoom in', keys: ['Ctrl+=', 'Ctrl++', 'Ctrl+Shift++'], keywords: 'larger bigger font size', when: () => zoom.canGrow, run: () => zoom.step(1) },
    { id: 'view.zoomOut', group: 'View', title: 'Zoom out', keys: ['Ctrl+-'], keywords: 'smaller font size', when: () => zoom.canShrink, run: () => zoom.step(-1) },
    { id: 'view.zoomReset', group: 'View', title: 'Reset zoom', keys: ['Ctrl+0'], keywords: 'actual size 100', when: () => zoom.percent !== 100, run: () => zoom.reset() },
  ];
}
