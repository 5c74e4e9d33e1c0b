export { compareFileItems, compareSkillItems } from './menuItems';
export { compareTexts } from './compareTexts';
