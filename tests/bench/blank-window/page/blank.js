// The same mark as the Studio's: painted, and free for what the person does next.
requestAnimationFrame(() => setTimeout(() => performance.mark('interactive')));
