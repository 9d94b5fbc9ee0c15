import { useRoute } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, onUnmounted, watch } from 'vue';
import './style.css';

/** Lets the keyboard reach content that is wider than the window. */
function reachWide() {
  for (const box of document.querySelectorAll('.vp-doc .wide')) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}

export default {
  extends: theme,
  setup() {
    const route = useRoute();
    onMounted(() => {
      reachWide();
      window.addEventListener('resize', reachWide);
    });
    onUnmounted(() => window.removeEventListener('resize', reachWide));
    watch(
      () => route.path,
      () => nextTick(reachWide),
      { flush: 'post' },
    );
  },
};
